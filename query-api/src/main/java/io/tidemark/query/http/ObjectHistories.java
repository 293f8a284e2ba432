package io.tidemark.query.http;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Format;
import io.tidemark.query.representation.Representation.View;
import io.tidemark.query.wire.HistoryDocument.VersionContent;
import io.tidemark.query.wire.TimeTravelOptions;
import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Serves the history of a Kubernetes object, as JSON or YAML, of whole objects or metadata.
 * Versions that are unreadable or cannot be served in the requested version stay in it with the
 * reason, so that the history has no holes. Custom resources use the current definition.
 */
final class ObjectHistories {
    private final HistoryService histories;
    private final InstantSource clock;

    ObjectHistories(ServingContext serving, InstantSource clock) {
        this.histories = new HistoryService(serving);
        this.clock = clock;
    }

    void serve(
            Exchange exchange,
            ApiPath.Objects path,
            Resource resource,
            Bytes key,
            Representation representation,
            TimeTravelOptions past,
            Duration timeout)
            throws IOException, InterruptedException {
        if (representation.view() instanceof View.Table) {
            throw Representation.notAcceptable(
                    List.of(Format.JSON.mediaType(), Format.YAML.mediaType()));
        }
        histories.serve(
                exchange,
                new HistoryService.Query(
                        key,
                        past,
                        (object, revision) -> shown(representation, resource, object, revision),
                        representation.contentType(),
                        representation::document,
                        () -> ObjectsEndpoint.notFound(path, resource)),
                timeout);
    }

    private VersionContent shown(
            Representation representation, Resource resource, StoredObject object, long revision) {
        if (object.isUnreadable()) {
            return new VersionContent.Problem("cannot be read: " + object.reason());
        }
        if (!object.isKubernetes()) {
            return new VersionContent.Problem("is not a Kubernetes object");
        }
        return representation
                .renderer(resource, clock)
                .eventObject(representation.shown(object), revision)
                .<VersionContent>map(VersionContent.Json::new)
                .orElseGet(() ->
                        new VersionContent.Problem("cannot be served as " + resource.apiVersion()));
    }
}

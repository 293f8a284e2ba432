package io.tidemark.query.http;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.encode.StoredEnvelope;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.UnreadablePage.Unreadable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds resources that no schema describes by what is stored of them: an API server keeps objects
 * in {@code <plural>/} or {@code <group>/<plural>/}, and each one's envelope names its apiVersion
 * and kind. So such a resource exists while it has an object.
 */
final class SchemalessKinds {
    /** How many stored objects of a directory are looked at. */
    private static final int LOOKED_AT = 16;

    private final ServingContext serving;
    private final Bytes prefix;

    /**
     * @param prefix of the cluster in etcd, with the slash
     */
    SchemalessKinds(ServingContext serving, Bytes prefix) {
        this.serving = serving;
        this.prefix = prefix;
    }

    /**
     * The resource of a path that is in no catalogue.
     *
     * @throws io.tidemark.serving.status.StatusException as {@link ReadPoints#await}
     */
    Optional<Resource> find(Exchange exchange, ApiPath.Objects path) throws InterruptedException {
        String group = path.group();
        List<String> directories =
                group.isEmpty()
                        ? List.of(path.plural())
                        : List.of(group + "/" + path.plural(), path.plural());
        for (String directory : directories) {
            Optional<Resource> found =
                    find(exchange, path, prefix.concat(Bytes.utf8(directory + "/")));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Resource> find(Exchange exchange, ApiPath.Objects path, Bytes directory)
            throws InterruptedException {
        KeyScope scope = KeyScope.prefix(directory);
        PartitionSet all = serving.watermarks().partitionsOf(scope);
        List<Unreadable> unreadable = serving.view().unreadable(all, scope, LOOKED_AT).keys();
        for (Unreadable each : unreadable) {
            Optional<Resource> found =
                    read(exchange, each.key())
                            .flatMap(StoredEnvelope::of)
                            .flatMap(envelope -> resource(path, directory, each.key(), envelope));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<StoredObject> read(Exchange exchange, Bytes key) throws InterruptedException {
        PartitionSet partitions = serving.watermarks().partitionsOf(KeyScope.exact(key));
        ReadPoint at =
                ReadPoints.of(serving, exchange, serving.times().freshness())
                        .await(partitions, new RequestedState.Any());
        try {
            return serving.view().get(key, at, Projection.WHOLE);
        } catch (RevisionExpiredException e) {
            throw e.status();
        }
    }

    private static Optional<Resource> resource(
            ApiPath.Objects path, Bytes directory, Bytes key, StoredEnvelope stored) {
        String rest = key.slice(directory.length(), key.length()).utf8();
        int depth = rest.split("/", -1).length;
        Resource resource =
                new Resource(
                        path.group(),
                        path.version(),
                        path.plural(),
                        stored.kind().toLowerCase(Locale.ROOT),
                        stored.kind(),
                        depth == 2,
                        false,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        directory,
                        new Resource.Conversion(stored.apiVersion(), false));
        return depth <= 2 && stored.apiVersion().equals(resource.apiVersion())
                ? Optional.of(resource)
                : Optional.empty();
    }
}

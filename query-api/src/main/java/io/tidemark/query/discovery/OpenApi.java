package io.tidemark.query.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.discovery.Discovery.DiscoveryResponse;
import io.tidemark.query.discovery.ListedCatalog.HashedVersion;
import io.tidemark.query.json.GoJson;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code /openapi/v3}: an index, and a document for each group and version. Documents of built-in
 * kinds are built once, those of custom ones when they are asked for and not {@link KeptDocuments
 * kept}. URLs contain a hash of the document, so clients know when to reload it.
 */
final class OpenApi {
    /** Part of the hash; raise it when the generated documents change. */
    private static final String FORM = "1";

    private static final String JSON = "application/json";

    /** The index is JSON, but the API server says this of it. */
    private static final String INDEX_TYPE = "text/plain; charset=utf-8";

    private static final String NOT_CACHED = "no-cache, private";

    private final String gitVersion;
    private final KeptDocuments kept;

    /** Kept as long as the process runs: their number is fixed, and every index needs them. */
    private final Map<String, Document> builtIn = new ConcurrentHashMap<>();

    OpenApi(String gitVersion, KeptDocuments kept) {
        this.gitVersion = gitVersion;
        this.kept = kept;
    }

    /**
     * @param below the path after {@code /openapi/v3}: empty, or {@code /apis/apps/v1}
     */
    DiscoveryResponse answer(ListedCatalog catalog, String below, String ifNoneMatch) {
        if (below.isEmpty()) {
            byte[] index = kept.get(catalog.key("openapi"), () -> index(catalog)).bytes();
            return new DiscoveryResponse(
                    200, INDEX_TYPE, Map.of("Cache-Control", NOT_CACHED), index);
        }
        Optional<Groups.Version> version =
                catalog.groups().groups().stream()
                        .flatMap(group -> group.versions().stream())
                        .filter(known -> ("/" + name(known)).equals(below))
                        .findFirst();
        if (version.isEmpty()) {
            return new DiscoveryResponse(404, "", Map.of(), new byte[0]);
        }
        HashedVersion hashed = hashed(catalog, version.get());
        String etag = Document.etag(hashed.hash());
        Map<String, String> headers = Map.of("ETag", etag, "Cache-Control", NOT_CACHED);
        return ifNoneMatch.equals(etag)
                ? new DiscoveryResponse(304, "", headers, new byte[0])
                : new DiscoveryResponse(200, JSON, headers, json(version.get(), hashed));
    }

    private Document index(ListedCatalog catalog) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = document.putObject("paths");
        for (Groups.Group group : catalog.groups().groups()) {
            for (Groups.Version version : group.versions()) {
                String name = name(version);
                String address = "/openapi/v3/" + name + "?hash=" + hashed(catalog, version).hash();
                paths.putObject(name).put("serverRelativeURL", address);
            }
        }
        return Document.of(GoJson.write(document));
    }

    private static String name(Groups.Version version) {
        return (version.group().isEmpty() ? "api/" : "apis/") + version.groupVersion();
    }

    private HashedVersion hashed(ListedCatalog catalog, Groups.Version version) {
        return catalog.hashed(
                version,
                defined ->
                        defined.isCustom()
                                ? defined.hash(FORM + " " + gitVersion + " ")
                                : builtIn(version, defined).hash());
    }

    /** Documents of custom resources are kept by their hash: most outlast their catalogue. */
    private byte[] json(Groups.Version version, HashedVersion hashed) {
        DefinedVersion defined = hashed.version();
        return defined.isCustom()
                ? kept.get(hashed.hash(), () -> new Document(write(defined), hashed.hash())).bytes()
                : builtIn(version, defined).bytes();
    }

    private Document builtIn(Groups.Version version, DefinedVersion defined) {
        return builtIn.computeIfAbsent(version.groupVersion(), _ -> Document.of(write(defined)));
    }

    private byte[] write(DefinedVersion version) {
        return GoJson.write(OpenApiDocument.of(version, gitVersion));
    }
}

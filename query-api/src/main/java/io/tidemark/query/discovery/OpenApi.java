package io.tidemark.query.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.discovery.Discovery.DiscoveryResponse;
import io.tidemark.query.json.GoJson;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code /openapi/v3}: an index, and a document for each group and version. Documents of built-in
 * kinds are built once, those of custom ones on request; the size of their definitions bounds them.
 * URLs contain a hash of the document, so clients know when to reload it.
 */
final class OpenApi {
    /** Part of the hash; raise it when the generated documents change. */
    private static final String FORM = "1";

    private static final String JSON = "application/json";

    /** The index is JSON, but the API server says this of it. */
    private static final String INDEX_TYPE = "text/plain; charset=utf-8";

    private static final String NOT_CACHED = "no-cache, private";

    private final String gitVersion;
    private final Map<String, Document> builtIn = new ConcurrentHashMap<>();
    private volatile @Nullable Index index;

    OpenApi(String gitVersion) {
        this.gitVersion = gitVersion;
    }

    /** An immutable document. A class, as records should not have array components. */
    private static final class Document {
        private final byte[] json;
        private final String hash;

        Document(byte[] json) {
            this.json = json;
            this.hash = Discovery.sha512(json);
        }
    }

    /** The index of one catalogue. */
    private static final class Index {
        private final Catalog catalog;
        private final byte[] json;

        Index(Catalog catalog, byte[] json) {
            this.catalog = catalog;
            this.json = json;
        }
    }

    /**
     * @param below the path after {@code /openapi/v3}: empty, or {@code /apis/apps/v1}
     */
    DiscoveryResponse answer(Catalog catalog, String below, String ifNoneMatch) {
        if (below.isEmpty()) {
            return new DiscoveryResponse(
                    200, INDEX_TYPE, Map.of("Cache-Control", NOT_CACHED), index(catalog));
        }
        Optional<Groups.Version> version =
                Groups.of(catalog).groups().stream()
                        .flatMap(group -> group.versions().stream())
                        .filter(known -> ("/" + name(known)).equals(below))
                        .findFirst();
        if (version.isEmpty()) {
            return new DiscoveryResponse(404, "", Map.of(), new byte[0]);
        }
        String etag = "\"" + hash(version.get()) + "\"";
        Map<String, String> headers = Map.of("ETag", etag, "Cache-Control", NOT_CACHED);
        return ifNoneMatch.equals(etag)
                ? new DiscoveryResponse(304, "", headers, new byte[0])
                : new DiscoveryResponse(200, JSON, headers, json(version.get()));
    }

    private byte[] index(Catalog catalog) {
        Index last = index;
        if (last != null && last.catalog == catalog) {
            return last.json;
        }
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = document.putObject("paths");
        for (Groups.Group group : Groups.of(catalog).groups()) {
            for (Groups.Version version : group.versions()) {
                String name = name(version);
                String address = "/openapi/v3/" + name + "?hash=" + hash(version);
                paths.putObject(name).put("serverRelativeURL", address);
            }
        }
        Index made = new Index(catalog, GoJson.write(document));
        index = made;
        return made.json;
    }

    private static String name(Groups.Version version) {
        return (version.group().isEmpty() ? "api/" : "apis/") + version.groupVersion();
    }

    private String hash(Groups.Version version) {
        if (!isCustom(version)) {
            return document(version).hash;
        }
        ByteArrayOutputStream hashed = new ByteArrayOutputStream();
        hashed.writeBytes((FORM + " " + gitVersion + " ").getBytes(StandardCharsets.UTF_8));
        version.resources()
                .forEach(resource -> {
                    String what = resource.qualifiedName() + " " + resource.apiVersion() + " ";
                    hashed.writeBytes(
                            (what + resource.namespaced()).getBytes(StandardCharsets.UTF_8));
                    resource.schema().definition().ifPresent(hashed::writeBytes);
                });
        return Discovery.sha512(hashed.toByteArray());
    }

    private byte[] json(Groups.Version version) {
        return isCustom(version) ? write(version) : document(version).json;
    }

    private Document document(Groups.Version version) {
        return builtIn.computeIfAbsent(version.groupVersion(), _ -> new Document(write(version)));
    }

    private byte[] write(Groups.Version version) {
        return GoJson.write(OpenApiDocument.of(version, gitVersion));
    }

    private static boolean isCustom(Groups.Version version) {
        return version.resources().stream().anyMatch(resource -> resource.custom());
    }
}

package io.tidemark.query.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.status.StatusException;
import io.tidemark.query.status.StatusException.Refusal;
import io.tidemark.query.table.AcceptHeader;
import io.tidemark.query.table.GoJson;
import io.tidemark.query.table.RefusalForm;
import io.tidemark.query.table.Representation;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Answers what is not about objects: groups, versions, resources, the server's version. A pure
 * function of the catalogue and the request.
 *
 * <p>Schemas are not mirrored, so the OpenAPI index is there and empty: {@code kubectl explain}
 * says that it does not know the resource, and {@code kubectl get} never asks.
 */
public final class Discovery {
    private static final List<String> ROUTED =
            List.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf");
    private static final String AGGREGATED = ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final String NOT_CACHED = "no-cache, private";

    private final ServerVersion version;
    private final String serverAddress;

    /**
     * @param gitVersion the Kubernetes version to show, such as {@code v1.36.0}
     */
    public Discovery(String gitVersion) {
        this(gitVersion, "");
    }

    /**
     * @param serverAddress host and port to show as this server's; empty for none
     */
    public Discovery(String gitVersion, String serverAddress) {
        this.version = new ServerVersion(gitVersion);
        this.serverAddress = serverAddress;
    }

    /**
     * An answer.
     *
     * @param contentType empty when there is no body
     * @param headers besides Content-Type and Content-Length: Cache-Control, ETag, Vary
     * @param body not to be written to
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Answer(
            int status, String contentType, Map<String, String> headers, byte[] body) {}

    /**
     * Answers GET of {@code /}, {@code /api}, {@code /apis}, {@code /api/v1}, {@code /apis/G},
     * {@code /apis/G/V}, {@code /version} and {@code /openapi/v3}; empty for every other path, and
     * for unknown groups.
     *
     * @param accept and {@code ifNoneMatch}: the request's headers, empty when absent
     * @throws StatusException 404 for an unknown version of a built-in group; 406
     */
    public Optional<Answer> answer(
            Catalog catalog, String path, String accept, String ifNoneMatch) {
        String trimmed =
                path.length() > 1 && path.endsWith("/")
                        ? path.substring(0, path.length() - 1)
                        : path;
        return switch (trimmed) {
            case "/", "/index.html" -> Optional.of(indented(Documents.paths(Groups.of(catalog))));
            case "/version" -> Optional.of(version(accept));
            case "/openapi/v3" -> Optional.of(openApiIndex());
            case "/api" -> Optional.of(root(catalog, true, accept, ifNoneMatch));
            case "/apis" -> Optional.of(root(catalog, false, accept, ifNoneMatch));
            default -> below(catalog, trimmed.split("/", -1), accept);
        };
    }

    /**
     * @param parts of the path, the first one empty
     */
    private static Optional<Answer> below(Catalog catalog, String[] parts, String accept) {
        boolean core = parts.length > 1 && parts[1].equals("api");
        boolean named = parts.length > 1 && parts[1].equals("apis");
        if (core && parts.length == 3) {
            return resources(catalog, "", parts[2], accept);
        }
        if (named && parts.length == 3) {
            return group(catalog, parts[2], accept);
        }
        return named && parts.length == 4
                ? resources(catalog, parts[2], parts[3], accept)
                : Optional.empty();
    }

    private Answer root(Catalog catalog, boolean core, String accept, String ifNoneMatch) {
        for (AcceptHeader.Wish wish : AcceptHeader.parse(accept)) {
            Optional<String> mediaType =
                    List.of("application/json", "application/yaml").stream()
                            .filter(wish::allows)
                            .findFirst();
            if (mediaType.isEmpty()) {
                continue;
            }
            if (isAggregated(wish)) {
                return aggregated(catalog, core, mediaType.get(), ifNoneMatch);
            }
            if (isPlain(wish)) {
                break;
            }
        }
        return plain(
                accept,
                () -> {
                    Groups groups = Groups.of(catalog);
                    return core
                            ? Documents.coreVersions(groups, serverAddress)
                            : Documents.groupList(groups);
                });
    }

    private static boolean isAggregated(AcceptHeader.Wish wish) {
        return wish.parameter("as").equals("APIGroupDiscoveryList")
                && wish.parameter("g").equals("apidiscovery.k8s.io")
                && wish.parameter("v").equals("v2");
    }

    private static boolean isPlain(AcceptHeader.Wish wish) {
        return List.of("as", "g", "v").stream().allMatch(name -> wish.parameter(name).isEmpty());
    }

    private static Answer aggregated(
            Catalog catalog, boolean core, String mediaType, String ifNoneMatch) {
        byte[] json = GoJson.write(AggregatedDocument.of(Groups.of(catalog), core));
        String etag = "\"" + sha512(json) + "\"";
        Map<String, String> headers =
                Map.of("ETag", etag, "Vary", "Accept", "Cache-Control", "public");
        if (ifNoneMatch.equals(etag)) {
            return new Answer(304, "", headers, new byte[0]);
        }
        RefusalForm form = mediaType.endsWith("yaml") ? RefusalForm.YAML : RefusalForm.COMPACT;
        return new Answer(200, mediaType + AGGREGATED, headers, form.write(json));
    }

    private static Optional<Answer> group(Catalog catalog, String name, String accept) {
        return Groups.of(catalog)
                .find(name)
                .filter(group -> !group.name().isEmpty())
                .map(group -> plain(accept, () -> Documents.group(group, true)));
    }

    private static Optional<Answer> resources(
            Catalog catalog, String group, String version, String accept) {
        Optional<Groups.Version> found =
                Groups.of(catalog).find(group).flatMap(known -> known.find(version));
        if (found.isEmpty() && BuiltInResources.groups().contains(group)) {
            throw new StatusException(
                    new Refusal(
                            404,
                            "NotFound",
                            "the server could not find the requested resource",
                            Map.of("", ""),
                            List.of(),
                            0,
                            ""));
        }
        return found.map(known -> plain(accept, () -> Documents.resourceList(group, known)));
    }

    private static Answer plain(String accept, Supplier<JsonNode> document) {
        if (!AcceptHeader.routes(accept, ROUTED)) {
            throw Representation.unroutable(ROUTED);
        }
        for (AcceptHeader.Wish wish : AcceptHeader.parse(accept)) {
            boolean json = wish.allows("application/json");
            if (isPlain(wish) && (json || wish.allows("application/yaml"))) {
                RefusalForm form = RefusalForm.of(accept, false);
                return new Answer(
                        200,
                        form.contentType(),
                        Map.of("Cache-Control", NOT_CACHED),
                        form.write(GoJson.write(document.get())));
            }
        }
        throw Representation.notAcceptable(ROUTED);
    }

    private Answer version(String accept) {
        List<String> json = List.of("application/json");
        if (!AcceptHeader.routes(accept, json)) {
            throw Representation.unroutable(json);
        }
        return indented(version.document());
    }

    private static Answer indented(JsonNode document) {
        return new Answer(
                200,
                "application/json",
                Map.of("Cache-Control", NOT_CACHED),
                RefusalForm.INDENTED.write(GoJson.write(document)));
    }

    private static Answer openApiIndex() {
        return new Answer(
                200,
                "application/json",
                Map.of("Cache-Control", NOT_CACHED),
                "{\"paths\":{}}".getBytes(StandardCharsets.UTF_8));
    }

    private static String sha512(byte[] bytes) {
        try {
            return HexFormat.of()
                    .withUpperCase()
                    .formatHex(MessageDigest.getInstance("SHA-512").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-512", e);
        }
    }
}

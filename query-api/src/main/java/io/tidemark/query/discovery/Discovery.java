package io.tidemark.query.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.kubernetes.encode.KubernetesEncoder;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.json.GoJson;
import io.tidemark.query.representation.AcceptHeader;
import io.tidemark.query.representation.DocumentFormat;
import io.tidemark.query.representation.Representation;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Serves API discovery: groups, versions, resources, schemas, the server's version. A function of
 * the catalogue and the request only; large documents are kept for the next request. Thread-safe.
 */
public final class Discovery {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final List<String> ROUTED =
            List.of("application/json", "application/yaml", PROTOBUF);
    private static final String AGGREGATED = ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final String NOT_CACHED = "no-cache, private";
    private static final String OPEN_API = "/openapi/v3";

    /** More than are in use at a time. */
    private static final int MOST_CATALOGS = 16;

    private final ServerVersion version;
    private final String serverAddress;
    private final KeptDocuments kept = KeptDocuments.inHeap();
    private final OpenApi openApi;

    /** Of the present and of the past; dropped with their catalogues. */
    private final Cache<Catalog, ListedCatalog> catalogs =
            Caffeine.newBuilder()
                    .weakKeys()
                    .maximumSize(MOST_CATALOGS)
                    .executor(Runnable::run)
                    .build();

    /**
     * @param gitVersion the Kubernetes version to show, such as {@code v1.36.0}
     */
    public Discovery(String gitVersion) {
        this(gitVersion, "");
    }

    /**
     * @param serverAddress host and port to report as this server's; empty for the request's Host
     *     header
     */
    public Discovery(String gitVersion, String serverAddress) {
        this.version = new ServerVersion(gitVersion);
        this.serverAddress = serverAddress;
        this.openApi = new OpenApi(gitVersion, kept);
    }

    /**
     * A response.
     *
     * @param contentType empty when there is no body
     * @param headers besides Content-Type and Content-Length: Cache-Control, ETag, Vary
     * @param body read-only
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record DiscoveryResponse(
            int status, String contentType, Map<String, String> headers, byte[] body) {}

    /**
     * A request for one of the documents.
     *
     * @param accept and the other texts: headers, empty when absent
     * @param pretty whether the request asks for indented JSON other than by its Accept header
     */
    public record DiscoveryRequest(
            String accept, String ifNoneMatch, String host, boolean pretty) {}

    /**
     * A discovery document.
     *
     * @param getOnly whether the API server answers other methods with 405; else it ignores the
     *     method
     * @param answer throws {@link StatusException} 406
     */
    public record Page(boolean getOnly, Function<DiscoveryRequest, DiscoveryResponse> answer) {
        private static Page routed(Function<DiscoveryRequest, DiscoveryResponse> answer) {
            return new Page(true, answer);
        }

        private static Page open(Function<DiscoveryRequest, DiscoveryResponse> answer) {
            return new Page(false, answer);
        }
    }

    /**
     * Finds {@code /}, {@code /api}, {@code /apis}, {@code /api/v1}, {@code /apis/G}, {@code
     * /apis/G/V}, {@code /version} and what is below {@code /openapi/v3}; empty for every other
     * path, and for unknown groups.
     *
     * @throws StatusException 404 for an unknown version of a built-in group
     */
    public Optional<Page> find(Catalog catalog, String path) {
        return find(catalog, catalogs.get(catalog, ListedCatalog::new), path);
    }

    private Optional<Page> find(Catalog catalog, ListedCatalog listed, String path) {
        String trimmed =
                path.length() > 1 && path.endsWith("/")
                        ? path.substring(0, path.length() - 1)
                        : path;
        return switch (trimmed) {
            case "/" ->
                    Optional.of(
                            Page.open(_ -> indented(UnaggregatedDocuments.paths(listed.groups()))));
            case "/version" -> Optional.of(Page.routed(ask -> version(ask.accept())));
            case "/api" -> Optional.of(Page.routed(ask -> root(listed, true, ask)));
            case "/apis" -> Optional.of(Page.open(ask -> root(listed, false, ask)));
            default ->
                    path.equals(OPEN_API) || path.startsWith(OPEN_API + "/")
                            ? Optional.of(Page.open(ask -> openApi(listed, path, ask)))
                            : below(catalog, listed.groups(), trimmed.split("/", -1));
        };
    }

    /** {@link #find} and its response. */
    public Optional<DiscoveryResponse> answer(
            Catalog catalog, String path, String accept, String ifNoneMatch) {
        return find(catalog, path)
                .map(page ->
                        page.answer().apply(new DiscoveryRequest(accept, ifNoneMatch, "", false)));
    }

    /**
     * @param parts segments of the path, the first one empty
     */
    private static Optional<Page> below(Catalog catalog, Groups groups, String[] parts) {
        boolean core = parts.length > 1 && parts[1].equals("api");
        boolean named = parts.length > 1 && parts[1].equals("apis");
        if (core && parts.length == 3) {
            return resources(catalog, groups, "", parts[2]);
        }
        if (named && parts.length == 3) {
            return group(groups, parts[2]);
        }
        return named && parts.length == 4
                ? resources(catalog, groups, parts[2], parts[3])
                : Optional.empty();
    }

    private DiscoveryResponse openApi(ListedCatalog catalog, String path, DiscoveryRequest ask) {
        return openApi.answer(catalog, path.substring(OPEN_API.length()), ask.ifNoneMatch());
    }

    private DiscoveryResponse root(ListedCatalog catalog, boolean core, DiscoveryRequest ask) {
        for (AcceptHeader.MediaRange range : AcceptHeader.parse(ask.accept())) {
            Optional<String> mediaType = ROUTED.stream().filter(range::allows).findFirst();
            if (mediaType.isEmpty()) {
                continue;
            }
            if (isAggregated(range)) {
                return aggregated(catalog, core, mediaType.get(), ask.ifNoneMatch());
            }
            if (isPlain(range)) {
                break;
            }
        }
        Groups groups = catalog.groups();
        String address = serverAddress.isEmpty() ? ask.host() : serverAddress;
        return plain(
                ask,
                core,
                () ->
                        core
                                ? UnaggregatedDocuments.coreVersions(groups, address)
                                : UnaggregatedDocuments.groupList(groups));
    }

    private static boolean isAggregated(AcceptHeader.MediaRange range) {
        return range.parameter("as").equals("APIGroupDiscoveryList")
                && range.parameter("g").equals("apidiscovery.k8s.io")
                && range.parameter("v").equals("v2");
    }

    private static boolean isPlain(AcceptHeader.MediaRange range) {
        return List.of("as", "g", "v").stream().allMatch(name -> range.parameter(name).isEmpty());
    }

    private DiscoveryResponse aggregated(
            ListedCatalog catalog, boolean core, String mediaType, String ifNoneMatch) {
        Document document =
                kept.get(
                        catalog.key((core ? "core " : "named ") + mediaType),
                        () -> aggregated(catalog.groups(), core, mediaType));
        Map<String, String> headers =
                Map.of("ETag", document.etag(), "Vary", "Accept", "Cache-Control", "public");
        return ifNoneMatch.equals(document.etag())
                ? new DiscoveryResponse(304, "", headers, new byte[0])
                : new DiscoveryResponse(200, mediaType + AGGREGATED, headers, document.bytes());
    }

    /** Of every media type, the hash is that of the JSON. */
    private static Document aggregated(Groups groups, boolean core, String mediaType) {
        JsonNode list = AggregatedDocument.of(groups, core);
        byte[] json = GoJson.write(list);
        byte[] body =
                switch (mediaType) {
                    case PROTOBUF -> protobuf("apidiscovery.v2", list);
                    case "application/yaml" -> DocumentFormat.YAML.write(json);
                    // An API server never indents it, not for curl either.
                    default -> DocumentFormat.COMPACT.write(json);
                };
        return new Document(body, Document.of(json).hash());
    }

    /**
     * @param messages the package of the document's message, which its kind names
     */
    private static byte[] protobuf(String messages, JsonNode document) {
        String kind = document.path("kind").asText();
        return KubernetesEncoder.ofMessage(messages + "." + kind)
                .object(document.path("apiVersion").asText(), kind, GoJson.write(document), 0, 0);
    }

    private static Optional<Page> group(Groups groups, String name) {
        return groups.find(name)
                .filter(group -> !group.name().isEmpty())
                .map(group ->
                        Page.open(ask ->
                                plain(ask, false, () -> UnaggregatedDocuments.group(group, true))));
    }

    /** The API server serves groups of custom resources by other code, which ignores the method. */
    private static Optional<Page> resources(
            Catalog catalog, Groups groups, String group, String version) {
        boolean builtIn = catalog.servesBuiltIn(group);
        Optional<Groups.Version> found = groups.find(group).flatMap(known -> known.find(version));
        if (found.isEmpty() && builtIn) {
            throw StatusErrors.unknownResource();
        }
        return found.map(known ->
                new Page(
                        builtIn,
                        ask ->
                                plain(
                                        ask,
                                        builtIn,
                                        () -> UnaggregatedDocuments.resourceList(group, known))));
    }

    /**
     * @param routed whether the API server checks the Accept header twice
     */
    private static DiscoveryResponse plain(
            DiscoveryRequest ask, boolean routed, Supplier<JsonNode> document) {
        String accept = ask.accept();
        if (routed && !AcceptHeader.routes(accept, ROUTED)) {
            throw Representation.unroutable(ROUTED);
        }
        for (AcceptHeader.MediaRange range : AcceptHeader.parse(accept)) {
            Optional<String> mediaType = ROUTED.stream().filter(range::allows).findFirst();
            if (isPlain(range) && mediaType.isPresent()) {
                boolean protobuf = mediaType.get().equals(PROTOBUF);
                DocumentFormat text = DocumentFormat.of(accept, ask.pretty());
                return new DiscoveryResponse(
                        200,
                        protobuf ? PROTOBUF : text.contentType(),
                        Map.of("Cache-Control", NOT_CACHED),
                        protobuf
                                ? protobuf("meta.v1", document.get())
                                : text.write(GoJson.write(document.get())));
            }
        }
        throw Representation.notAcceptable(ROUTED);
    }

    private DiscoveryResponse version(String accept) {
        List<String> json = List.of("application/json");
        if (!AcceptHeader.routes(accept, json)) {
            throw Representation.unroutable(json);
        }
        return indented(version.document());
    }

    private static DiscoveryResponse indented(JsonNode document) {
        return new DiscoveryResponse(
                200,
                "application/json",
                Map.of("Cache-Control", NOT_CACHED),
                DocumentFormat.INDENTED.write(GoJson.write(document)));
    }
}

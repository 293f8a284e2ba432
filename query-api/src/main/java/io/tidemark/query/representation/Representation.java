package io.tidemark.query.representation;

import io.tidemark.json.GoQuote;
import io.tidemark.json.JsonIndenter;
import io.tidemark.kubernetes.encode.KubernetesEncoder;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.json.GoJson;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The negotiated form of a response.
 *
 * @param view the part of the objects that is shown
 * @param pretty whether JSON is indented; no effect on streams and other formats
 * @param withoutManagedFields whether objects are shown without {@code metadata.managedFields}, for
 *     {@code drop=metadata.managedFields} (KEP-5958)
 */
public record Representation(
        Format format, View view, boolean pretty, boolean withoutManagedFields) {
    /** The format of the response. */
    public enum Format {
        JSON("application/json"),
        YAML("application/yaml"),
        /** No Tables, and of custom resources the metadata only, as in the API server. */
        PROTOBUF("application/vnd.kubernetes.protobuf");

        private final String mediaType;

        Format(String mediaType) {
            this.mediaType = mediaType;
        }

        public String mediaType() {
            return mediaType;
        }
    }

    /** The kind of request. */
    public enum Shape {
        GET,
        /** All versions of an object; a document of Tidemark's own, which has no protobuf form. */
        HISTORY,
        LIST,
        WATCH,
        /** A long poll or a WebSocket, whose events are texts. */
        TEXT_WATCH;

        private boolean isSingle() {
            return this == GET || this == HISTORY;
        }

        private boolean isWatch() {
            return this == WATCH || this == TEXT_WATCH;
        }

        private boolean allowsProtobuf() {
            return this != HISTORY && this != TEXT_WATCH;
        }
    }

    /** The part of the objects that is shown. */
    public sealed interface View {
        /** Whole objects; in compact JSON, stored bytes may be sent unchanged. */
        record Whole() implements View {}

        /**
         * Rows and columns.
         *
         * @param apiVersion {@code meta.k8s.io/v1} or v1beta1
         */
        record Table(String apiVersion, IncludeObject include) implements View {}

        /**
         * PartialObjectMetadata, or a list of it.
         *
         * @param list whether PartialObjectMetadataList was requested: a watch then ends silently
         *     at its first event
         */
        record Metadata(String apiVersion, boolean list) implements View {}

        /**
         * The response cannot be converted to the requested form. The API server detects this after
         * the read, so other errors take precedence.
         */
        record Unsupported(FailureStatus refusal) implements View {}
    }

    /** What a Table's row contains besides its cells. */
    public enum IncludeObject {
        NONE,
        METADATA,
        OBJECT
    }

    private static final String META = "meta.k8s.io";
    private static final String JSON_STREAM = "application/json;stream=watch";
    private static final List<String> ROUTED =
            List.of("application/json", "application/yaml", DocumentFormat.PROTOBUF.contentType());
    private static final List<String> ROUTED_STREAMS =
            List.of(JSON_STREAM, DocumentFormat.PROTOBUF.contentType() + ";stream=watch");

    /** Versions of the lists' own group. */
    private static final List<String> VERSIONS = List.of("v1");

    /**
     * Refuses a header without any type that the API server's routes produce. Custom resources have
     * no separate routes.
     *
     * @throws StatusException 406
     */
    public static void requireRoute(String accept, Resource resource, Shape shape) {
        if (!resource.custom() && !AcceptHeader.routes(accept, ROUTED)) {
            throw unroutable(shape.isSingle() ? ROUTED : joined(ROUTED, ROUTED_STREAMS));
        }
    }

    /**
     * Picks the first form that the client accepts and the server supports.
     *
     * @param accept the header, empty when absent
     * @param includeObject the parameter, empty when absent
     * @param pretty whether the request asks for indented JSON other than by the header
     * @throws StatusException 406 when there is none
     */
    public static Representation negotiate(
            String accept, String includeObject, boolean pretty, Resource resource, Shape shape) {
        boolean binary = false;
        for (AcceptHeader.MediaRange range : AcceptHeader.parse(accept)) {
            for (Format format : Format.values()) {
                if (!allows(range, format.mediaType())) {
                    continue;
                }
                View view = view(range, includeObject, resource, shape);
                if (view == null
                        || format == Format.PROTOBUF && !inProtobuf(view, resource, shape)) {
                    continue;
                }
                if (format == Format.YAML && shape.isWatch()) {
                    throw notAcceptable(ROUTED_STREAMS);
                }
                return new Representation(
                        format,
                        view,
                        pretty || range.parameter("pretty").equals("1"),
                        dropsManagedFields(range));
            }
            binary |=
                    !resource.custom()
                            && allows(range, DocumentFormat.PROTOBUF.contentType())
                            && !range.transforms();
        }
        if (binary) {
            return new Representation(
                    Format.JSON, new View.Unsupported(noBinary(shape)), false, false);
        }
        // A watch is matched with the resource's types before the stream types.
        throw notAcceptable(ROUTED);
    }

    /**
     * The form of objects that have no JSON: protobuf, of whole objects or of their metadata.
     *
     * @param accept the header, empty when absent
     * @throws StatusException 406 when the client accepts neither
     */
    public static Representation negotiateProtobuf(String accept, Resource resource, Shape shape) {
        for (AcceptHeader.MediaRange range : AcceptHeader.parse(accept)) {
            View view = view(range, "", resource, shape);
            if ((view instanceof View.Whole || view instanceof View.Metadata)
                    && shape.allowsProtobuf()
                    && allows(range, Format.PROTOBUF.mediaType())) {
                return new Representation(Format.PROTOBUF, view, false, false);
            }
        }
        throw notAcceptable(List.of(Format.PROTOBUF.mediaType()));
    }

    /** Other fields may be named, separated by plus signs; the API server ignores those. */
    private static boolean dropsManagedFields(AcceptHeader.MediaRange range) {
        return List.of(range.parameter("drop").split("\\+")).contains("metadata.managedFields");
    }

    private static boolean allows(AcceptHeader.MediaRange range, String mediaType) {
        return range.allows(mediaType) && range.permits(mediaType, VERSIONS);
    }

    private static boolean inProtobuf(View view, Resource resource, Shape shape) {
        return shape.allowsProtobuf()
                && switch (view) {
                    case View.Whole _ ->
                            !resource.custom()
                                    && KubernetesEncoder.of(resource.apiVersion(), resource.kind())
                                            .isPresent();
                    case View.Metadata _, View.Unsupported _ -> true;
                    case View.Table _ -> false;
                };
    }

    /** The error for protobuf of what the API server writes so and Tidemark does not. */
    private static FailureStatus noBinary(Shape shape) {
        return notAcceptable(
                        shape.isWatch()
                                ? List.of(JSON_STREAM)
                                : List.of(Format.JSON.mediaType(), Format.YAML.mediaType()))
                .status();
    }

    /** The API server's error when none of its routes produces an accepted type. */
    public static StatusException unroutable(List<String> available) {
        return new StatusException(
                new FailureStatus(
                        406,
                        "NotAcceptable",
                        "406: Not Acceptable\n\nAvailable representations: "
                                + String.join(", ", available),
                        Map.of("", ""), // Details are present but empty.
                        List.of(),
                        0,
                        ""));
    }

    /** The API server's error when it cannot produce an accepted form. */
    public static StatusException notAcceptable(List<String> accepted) {
        return new StatusException(
                new FailureStatus(
                        406,
                        "NotAcceptable",
                        "only the following media types are accepted: "
                                + String.join(", ", accepted)));
    }

    /** What is shown of an object, in every format. */
    public StoredObject shown(StoredObject object) {
        return withoutManagedFields ? object.withoutManagedFields() : object;
    }

    /** Whether it is a form of lists only: a watch ends silently at its first event. */
    public boolean isOfLists() {
        return view instanceof View.Metadata(_, boolean list) && list;
    }

    /** The part of each object that this form needs. */
    public Projection projection() {
        return switch (view) {
            case View.Metadata _, View.Unsupported _ -> Projection.METADATA;
            case View.Whole _, View.Table _ -> Projection.WHOLE;
        };
    }

    /** For a single document. */
    public String contentType() {
        return format.mediaType();
    }

    /** Only binary streams of events name their form, as the API server does. */
    public String contentType(Shape shape) {
        return format == Format.PROTOBUF && shape == Shape.WATCH
                ? format.mediaType() + ";stream=watch"
                : format.mediaType();
    }

    /**
     * Formats a document that is not an object of the resource.
     *
     * @param json compact, without a line feed
     */
    public byte[] document(byte[] json) {
        return switch (format) {
            case JSON ->
                    GoJson.joined(pretty ? JsonIndenter.indented(json) : json, GoJson.LINE_FEED);
            case YAML -> YamlWriter.document(json);
            case PROTOBUF -> throw new IllegalStateException("it has no protobuf form");
        };
    }

    /**
     * A renderer for one response; for one thread. Of protobuf it is the JSON that is encoded.
     *
     * @param clock what ages are measured against
     * @throws StatusException 406 or 400 when the view is impossible
     */
    public Renderer renderer(Resource resource, InstantSource clock) {
        Content content =
                switch (view) {
                    case View.Whole _ -> new WholeContent(resource);
                    case View.Table table -> new TableContent(resource, table, clock);
                    case View.Metadata metadata ->
                            new MetadataContent(resource, metadata.apiVersion());
                    case View.Unsupported(FailureStatus refusal) ->
                            throw new StatusException(refusal);
                };
        return switch (format) {
            case JSON -> pretty ? new IndentedRenderer(content) : new CompactRenderer(content);
            case PROTOBUF -> new CompactRenderer(content);
            case YAML -> new YamlRenderer(content);
        };
    }

    private static @Nullable View view(
            AcceptHeader.MediaRange range, String includeObject, Resource resource, Shape shape) {
        if (!range.transforms()) {
            return new View.Whole();
        }
        String version = range.parameter("v");
        if (!range.parameter("g").equals(META)
                || !(version.equals("v1") || version.equals("v1beta1"))) {
            return null;
        }
        String apiVersion = META + "/" + version;
        return switch (range.parameter("as")) {
            case "Table" -> table(apiVersion, includeObject);
            case "PartialObjectMetadata" ->
                    shape == Shape.LIST
                            ? unsupported(
                                    "you requested PartialObjectMetadata, but the requested object"
                                            + " is a list (*%sList)",
                                    resource)
                            : new View.Metadata(apiVersion, false);
            case "PartialObjectMetadataList" ->
                    shape.isSingle()
                            ? unsupported(
                                    "you requested PartialObjectMetadataList, but the requested"
                                            + " object is not a list (*%s)",
                                    resource)
                            : new View.Metadata(apiVersion, true);
            default -> null;
        };
    }

    private static View table(String apiVersion, String includeObject) {
        return switch (includeObject) {
            case "", "Metadata" -> new View.Table(apiVersion, IncludeObject.METADATA);
            case "None" -> new View.Table(apiVersion, IncludeObject.NONE);
            case "Object" -> new View.Table(apiVersion, IncludeObject.OBJECT);
            default ->
                    new View.Unsupported(
                            new FailureStatus(
                                    400,
                                    "BadRequest",
                                    "Unable to convert to Table as requested: includeObject:"
                                            + " Invalid value: "
                                            + GoQuote.string(includeObject)
                                            + ": must be 'Metadata', 'Object', 'None', or"
                                            + " empty"));
        };
    }

    /** The API server's message names its Go type of the object. */
    private static View unsupported(String text, Resource resource) {
        String group = resource.group();
        int dot = group.indexOf('.');
        String type =
                resource.custom()
                        ? "unstructured.Unstructured"
                        : (group.isEmpty() || group.equals("events.k8s.io")
                                        ? "core"
                                        : dot < 0 ? group : group.substring(0, dot))
                                + "."
                                + resource.kind();
        return new View.Unsupported(new FailureStatus(406, "NotAcceptable", text.formatted(type)));
    }

    private static List<String> joined(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}

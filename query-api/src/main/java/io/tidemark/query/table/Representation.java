package io.tidemark.query.table;

import io.tidemark.query.catalog.Resource;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.view.Projection;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form of an answer, as negotiated.
 *
 * @param view what of the objects is shown
 * @param pretty JSON is indented; of no effect in streams and YAML
 */
public record Representation(Format format, View view, boolean pretty) {
    /** How the answer is written. */
    public enum Format {
        JSON("application/json"),
        YAML("application/yaml");

        private final String mediaType;

        Format(String mediaType) {
            this.mediaType = mediaType;
        }

        public String mediaType() {
            return mediaType;
        }
    }

    /** What is asked for. */
    public enum Shape {
        GET,
        LIST,
        WATCH
    }

    /** What is shown. */
    public sealed interface View {
        /** Whole objects: in plain JSON, stored bytes may go out as they are. */
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
         * @param list PartialObjectMetadataList was asked for: a watch then ends, without a word,
         *     at its first event
         */
        record Metadata(String apiVersion, boolean list) implements View {}

        /**
         * Nothing: what is asked for cannot be made of the answer. The API server finds out when it
         * has the answer, so whatever else speaks against the request is said first.
         */
        record Unsupported(FailureStatus refusal) implements View {}
    }

    /** What a Table's row holds besides its cells. */
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
     * Refuses a header of which the API server's routes know no type. Custom resources have no
     * routes of their own.
     *
     * @throws StatusException 406
     */
    public static void requireRoute(String accept, Resource resource, Shape shape) {
        if (!resource.custom() && !AcceptHeader.routes(accept, ROUTED)) {
            throw unroutable(shape == Shape.GET ? ROUTED : joined(ROUTED, ROUTED_STREAMS));
        }
    }

    /**
     * Picks the first form of the client's list that can be served.
     *
     * @param accept the header, empty when absent
     * @param includeObject the parameter, empty when absent
     * @param pretty whether the request asks for indented JSON elsewhere than in the header
     * @throws StatusException 406 when there is none
     */
    public static Representation negotiate(
            String accept, String includeObject, boolean pretty, Resource resource, Shape shape) {
        boolean binary = false;
        for (AcceptHeader.MediaRange wish : AcceptHeader.parse(accept)) {
            for (Format format : Format.values()) {
                if (!allows(wish, format.mediaType())) {
                    continue;
                }
                View view = view(wish, includeObject, resource, shape);
                if (view != null && format == Format.YAML && shape == Shape.WATCH) {
                    throw notAcceptable(ROUTED_STREAMS);
                }
                if (view != null) {
                    return new Representation(
                            format, view, pretty || wish.parameter("pretty").equals("1"));
                }
            }
            binary |=
                    !resource.custom()
                            && allows(wish, DocumentFormat.PROTOBUF.contentType())
                            && !wish.transforms();
        }
        if (binary) {
            return new Representation(Format.JSON, new View.Unsupported(noBinary(shape)), false);
        }
        // A watch too is matched with the resource's forms before it is with those of streams.
        throw notAcceptable(ROUTED);
    }

    private static boolean allows(AcceptHeader.MediaRange wish, String mediaType) {
        return wish.allows(mediaType) && wish.permits(mediaType, VERSIONS);
    }

    /** The API server has this form of the answer, and Tidemark has not. */
    private static FailureStatus noBinary(Shape shape) {
        return notAcceptable(
                        shape == Shape.WATCH
                                ? List.of(JSON_STREAM)
                                : List.of(Format.JSON.mediaType(), Format.YAML.mediaType()))
                .status();
    }

    /** No type of the header is one that a route of the API server produces. */
    public static StatusException unroutable(List<String> available) {
        return new StatusException(
                new FailureStatus(
                        406,
                        "NotAcceptable",
                        "406: Not Acceptable\n\nAvailable representations: "
                                + String.join(", ", available),
                        Map.of("", ""), // Details are there, and empty.
                        List.of(),
                        0,
                        ""));
    }

    /** What the header asks for cannot be made of the answer. */
    public static StatusException notAcceptable(List<String> accepted) {
        return new StatusException(
                new FailureStatus(
                        406,
                        "NotAcceptable",
                        "only the following media types are accepted: "
                                + String.join(", ", accepted)));
    }

    /** How much of the objects it takes to show them in this form. */
    public Projection projection() {
        return switch (view) {
            case View.Metadata _, View.Unsupported _ -> Projection.METADATA;
            case View.Whole _, View.Table _ -> Projection.WHOLE;
        };
    }

    /** The Content-Type of the answer. */
    public String contentType() {
        return format.mediaType();
    }

    /**
     * Lays out a document that is none of the resource's own.
     *
     * @param json compact, without a line feed
     */
    public byte[] document(byte[] json) {
        return switch (format) {
            case JSON ->
                    GoJson.joined(pretty ? JsonIndenter.indented(json) : json, GoJson.LINE_FEED);
            case YAML -> YamlWriter.document(json);
        };
    }

    /**
     * A writer for one answer; not for several threads.
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
            case YAML -> new YamlRenderer(content);
        };
    }

    private static @Nullable View view(
            AcceptHeader.MediaRange wish, String includeObject, Resource resource, Shape shape) {
        if (!wish.transforms()) {
            return new View.Whole();
        }
        String version = wish.parameter("v");
        if (!wish.parameter("g").equals(META)
                || !(version.equals("v1") || version.equals("v1beta1"))) {
            return null;
        }
        String apiVersion = META + "/" + version;
        return switch (wish.parameter("as")) {
            case "Table" -> table(apiVersion, includeObject);
            case "PartialObjectMetadata" ->
                    shape == Shape.LIST
                            ? unsupported(
                                    "you requested PartialObjectMetadata, but the requested object"
                                            + " is a list (*%sList)",
                                    resource)
                            : new View.Metadata(apiVersion, false);
            case "PartialObjectMetadataList" ->
                    shape == Shape.GET
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
                                            + " Invalid value: \""
                                            + includeObject
                                            + "\": must be 'Metadata', 'Object', 'None', or"
                                            + " empty"));
        };
    }

    /** The reference names the type of its own that holds the object. */
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

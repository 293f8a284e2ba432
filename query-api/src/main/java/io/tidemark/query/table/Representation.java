package io.tidemark.query.table;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.status.StatusException;
import io.tidemark.query.status.StatusException.Refusal;
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
    }

    /** What a Table's row holds besides its cells. */
    public enum IncludeObject {
        NONE,
        METADATA,
        OBJECT
    }

    private static final String META = "meta.k8s.io";
    private static final List<String> ROUTED =
            List.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf");
    private static final List<String> ROUTED_STREAMS =
            List.of(
                    "application/json;stream=watch",
                    "application/vnd.kubernetes.protobuf;stream=watch");

    /**
     * Picks the first form of the client's list that can be served.
     *
     * @param accept the header, empty when absent
     * @param includeObject the parameter, empty when absent
     * @param pretty whether the request asks for indented JSON elsewhere than in the header
     * @throws StatusException 406 when there is none; 400 for an unknown {@code includeObject}
     */
    public static Representation negotiate(
            String accept, String includeObject, boolean pretty, Resource resource, Shape shape) {
        if (!resource.custom() && !AcceptHeader.routes(accept, ROUTED)) {
            throw unroutable(shape == Shape.GET ? ROUTED : joined(ROUTED, ROUTED_STREAMS));
        }
        for (AcceptHeader.Wish wish : AcceptHeader.parse(accept)) {
            for (Format format : Format.values()) {
                if (!wish.allows(format.mediaType())
                        || (shape == Shape.WATCH && format == Format.YAML)) {
                    continue;
                }
                View view = view(wish, includeObject, resource, shape);
                if (view != null) {
                    return new Representation(
                            format, view, pretty || wish.parameter("pretty").equals("1"));
                }
                break;
            }
        }
        throw notAcceptable(shape == Shape.WATCH ? ROUTED_STREAMS : ROUTED);
    }

    /** No type of the header is one that a route of the API server produces. */
    public static StatusException unroutable(List<String> available) {
        return new StatusException(
                new Refusal(
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
                new Refusal(
                        406,
                        "NotAcceptable",
                        "only the following media types are accepted: "
                                + String.join(", ", accepted)));
    }

    /** The Content-Type of the answer. */
    public String contentType() {
        return format.mediaType();
    }

    /**
     * A writer for one answer; not for several threads.
     *
     * @param clock what ages are measured against
     */
    public Renderer renderer(Resource resource, InstantSource clock) {
        Content content =
                switch (view) {
                    case View.Whole _ -> new WholeContent(resource);
                    case View.Table table -> new TableContent(resource, table, clock);
                    case View.Metadata metadata ->
                            new MetadataContent(resource, metadata.apiVersion());
                };
        return switch (format) {
            case JSON -> pretty ? new IndentedRenderer(content) : new CompactRenderer(content);
            case YAML -> new YamlRenderer(content);
        };
    }

    private static @Nullable View view(
            AcceptHeader.Wish wish, String includeObject, Resource resource, Shape shape) {
        boolean transforms =
                wish.parameters().containsKey("as")
                        || wish.parameters().containsKey("g")
                        || wish.parameters().containsKey("v");
        if (!transforms) {
            return new View.Whole();
        }
        String version = wish.parameter("v");
        if (!wish.parameter("g").equals(META)
                || !(version.equals("v1") || version.equals("v1beta1"))) {
            return null;
        }
        String apiVersion = META + "/" + version;
        return switch (wish.parameter("as")) {
            case "Table" -> new View.Table(apiVersion, include(includeObject));
            case "PartialObjectMetadata" -> {
                if (shape == Shape.LIST) {
                    throw impossible(
                            "you requested PartialObjectMetadata, but the requested object is a"
                                    + " list (*%sList)",
                            resource);
                }
                yield new View.Metadata(apiVersion, false);
            }
            case "PartialObjectMetadataList" -> {
                if (shape == Shape.GET) {
                    throw impossible(
                            "you requested PartialObjectMetadataList, but the requested object is"
                                    + " not a list (*%s)",
                            resource);
                }
                yield new View.Metadata(apiVersion, true);
            }
            default -> null;
        };
    }

    private static IncludeObject include(String includeObject) {
        return switch (includeObject) {
            case "", "Metadata" -> IncludeObject.METADATA;
            case "None" -> IncludeObject.NONE;
            case "Object" -> IncludeObject.OBJECT;
            default ->
                    throw new StatusException(
                            new Refusal(
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
    private static StatusException impossible(String text, Resource resource) {
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
        return new StatusException(new Refusal(406, "NotAcceptable", text.formatted(type)));
    }

    private static List<String> joined(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}

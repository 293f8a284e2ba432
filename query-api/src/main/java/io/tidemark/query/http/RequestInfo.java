package io.tidemark.query.http;

import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.authorization.SelectorTerm;
import io.tidemark.query.select.FieldSelectors;
import io.tidemark.query.select.LabelSelectors;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.query.wire.Parameters;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.Selection.Requirement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a request asks of the authorizer, by the API server's rules for its request info. Made from
 * the parsed path and parameters that are served, so that both cannot differ.
 */
final class RequestInfo {
    private static final String NAME = "metadata.name";
    private static final String KEYS = "/kv";
    private static final String ANY_REST = "*";

    private final Bytes mirrored;

    /**
     * @param mirrored the prefix under which keys are mirrored
     */
    RequestInfo(Bytes mirrored) {
        this.mirrored = mirrored;
    }

    /**
     * The attributes of a request.
     *
     * @param rawPath from the request line; a path of neither objects nor keys is judged by it
     * @param path the parsed {@code rawPath}
     */
    RequestAttributes of(String method, String rawPath, ApiPath path, Parameters parameters) {
        return switch (path) {
            case ApiPath.Objects objects -> ofObjects(method, objects, parameters);
            case ApiPath.UnknownObjectsPath(_, _, Optional<ApiPath.Objects> likeness) ->
                    ofUnknown(method, rawPath, likeness, parameters);
            case ApiPath.Unknown(Optional<ApiPath.Objects> likeness) ->
                    ofUnknown(method, rawPath, likeness, parameters);
            case ApiPath.KeyValue keys ->
                    ofKeys(method, KeyValueEndpoint.scope(keys, parameters, mirrored));
            case ApiPath.Health _,
                    ApiPath.Metrics _,
                    ApiPath.Cluster _,
                    ApiPath.Changes _,
                    ApiPath.Console _,
                    ApiPath.DiscoveryPath _ ->
                    ofPath(method, decoded(rawPath));
        };
    }

    private static RequestAttributes ofUnknown(
            String method,
            String rawPath,
            Optional<ApiPath.Objects> likeness,
            Parameters parameters) {
        return likeness.isPresent()
                ? ofObjects(method, likeness.get(), parameters)
                : ofPath(method, decoded(rawPath));
    }

    private static String decoded(String rawPath) {
        return Parameters.decode(rawPath, false).utf8();
    }

    /**
     * Keys are asked for by their path below {@code /kv}, with the slash of the mirrored prefix as
     * its last. All keys with a prefix are asked for as the path {@code PREFIX*}, which only a rule
     * with a star at or before that place covers.
     */
    private RequestAttributes ofKeys(String method, KeyScope scope) {
        String start = mirrored.startsWith(Bytes.utf8("/")) ? KEYS : KEYS + "/";
        String rest = scope.kind() == KeyScope.Kind.EXACT ? "" : ANY_REST;
        return ofPath(method, start + scope.key().utf8() + rest);
    }

    private static RequestAttributes ofPath(String method, String path) {
        return new NonResourceRequest(method.toLowerCase(Locale.ROOT), path);
    }

    private static RequestAttributes ofObjects(
            String method, ApiPath.Objects path, Parameters parameters) {
        boolean many = path.name().isEmpty();
        String verb = path.watch() ? "watch" : verb(method, many, parameters);
        boolean namespaceItself = path.plural().equals("namespaces") && !path.inNamespace();
        Selected selected =
                many && isRead(method) ? Selected.by(parameters, !path.watch()) : Selected.NOTHING;
        return new ResourceRequest(
                verb,
                path.group(),
                path.version(),
                path.plural(),
                path.subresource(),
                namespaceItself ? path.name() : path.namespace(),
                many ? selected.name() : path.name(),
                selected.fields(),
                selected.labels());
    }

    private static boolean isRead(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** Empty for a method that has none. */
    private static String verb(String method, boolean many, Parameters parameters) {
        return switch (method) {
            case "GET", "HEAD" -> many ? (parameters.flag("watch") ? "watch" : "list") : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> many ? "deletecollection" : "delete";
            default -> "";
        };
    }

    /**
     * What the selectors of a list or watch require; nothing when any parameter cannot be read.
     *
     * @param name that the field selector requires, so that a right to one object suffices to list
     *     or watch it; empty for any
     */
    private record Selected(String name, List<SelectorTerm> fields, List<SelectorTerm> labels) {
        static final Selected NOTHING = new Selected("", List.of(), List.of());

        /**
         * @param named whether the name counts, which it never does on the old paths of watches
         */
        static Selected by(Parameters parameters, boolean named) {
            try {
                ListOptions options = ListOptions.parse(parameters);
                List<Requirement> labels = LabelSelectors.parse(options.labelSelector());
                List<Requirement> fields = FieldSelectors.parseAnyFields(options.fieldSelector());
                return new Selected(named ? nameOf(options) : "", terms(fields), terms(labels));
            } catch (StatusException _) {
                return NOTHING;
            }
        }

        private static String nameOf(ListOptions options) {
            return FieldSelectors.requiredValue(options.fieldSelector(), NAME)
                    .filter(PathRules::canBeName)
                    .orElse("");
        }

        private static List<SelectorTerm> terms(List<Requirement> requirements) {
            return requirements.stream().flatMap(each -> term(each).stream()).toList();
        }

        /** Empty for an operator that authorizers do not know: without it the request asks more. */
        private static Optional<SelectorTerm> term(Requirement requirement) {
            Optional<SelectorTerm.Operator> operator =
                    switch (requirement.operator()) {
                        case IN -> Optional.of(SelectorTerm.Operator.IN);
                        case NOT_IN -> Optional.of(SelectorTerm.Operator.NOT_IN);
                        case EXISTS -> Optional.of(SelectorTerm.Operator.EXISTS);
                        case ABSENT -> Optional.of(SelectorTerm.Operator.DOES_NOT_EXIST);
                        case GREATER, LESS, HASH_IN -> Optional.empty();
                    };
            return operator.map(known ->
                    new SelectorTerm(
                            requirement.name(),
                            known,
                            requirement.values().stream().sorted().toList()));
        }
    }
}

package io.tidemark.authorization;

import io.tidemark.json.GoQuote;
import java.util.List;

/** What is asked of the authorizer about a request. All texts are as in the URL, decoded. */
public sealed interface RequestAttributes {
    String verb();

    /** Empty for requests without one, to which no RoleBinding applies. */
    String namespace();

    /**
     * The text of an API server's 403 for the request.
     *
     * @param reason of the {@link Decision}; empty for none
     */
    default String forbidden(Caller caller, String reason) {
        String text = "forbidden: User " + GoQuote.string(caller.name()) + " cannot " + action();
        return reason.isEmpty() ? text : text + ": " + reason;
    }

    /** The request without its user, in the words of a 403. */
    String action();

    /**
     * A request for objects.
     *
     * @param verb such as {@code get}, {@code list}, {@code watch}; empty for an unknown method
     * @param apiGroup empty for the core group
     * @param subresource empty for the resource itself
     * @param namespace empty for all namespaces or a resource of the cluster
     * @param name empty for any number of objects
     * @param fields what the field selector of a list or watch requires; RBAC reads none of it
     * @param labels what its label selector requires, as far as an authorizer knows the operators
     */
    record ResourceRequest(
            String verb,
            String apiGroup,
            String version,
            String resource,
            String subresource,
            String namespace,
            String name,
            List<SelectorTerm> fields,
            List<SelectorTerm> labels)
            implements RequestAttributes {
        public ResourceRequest {
            fields = List.copyOf(fields);
            labels = List.copyOf(labels);
        }

        /** Of a request that does not select. */
        public ResourceRequest(
                String verb,
                String apiGroup,
                String version,
                String resource,
                String subresource,
                String namespace,
                String name) {
            this(
                    verb,
                    apiGroup,
                    version,
                    resource,
                    subresource,
                    namespace,
                    name,
                    List.of(),
                    List.of());
        }

        @Override
        public String action() {
            String scope =
                    namespace.isEmpty()
                            ? "at the cluster scope"
                            : "in the namespace " + GoQuote.string(namespace);
            return "%s resource %s in API group %s %s"
                    .formatted(verb, GoQuote.string(combined()), GoQuote.string(apiGroup), scope);
        }

        /** {@code pods} or {@code pods/status}. */
        private String combined() {
            return subresource.isEmpty() ? resource : resource + "/" + subresource;
        }

        /** Begins with the object, as in {@code pods "x" is forbidden: User …}. */
        @Override
        public String forbidden(Caller caller, String reason) {
            String text = RequestAttributes.super.forbidden(caller, reason);
            if (resource.isEmpty()) {
                return text;
            }
            String qualified = apiGroup.isEmpty() ? resource : resource + "." + apiGroup;
            return (name.isEmpty() ? qualified : qualified + " " + GoQuote.string(name))
                    + " is "
                    + text;
        }
    }

    /**
     * A request for anything else: discovery, health, metrics.
     *
     * @param verb the HTTP method in lower case
     * @param path the whole path
     */
    record NonResourceRequest(String verb, String path) implements RequestAttributes {
        @Override
        public String namespace() {
            return "";
        }

        @Override
        public String action() {
            return verb + " path " + GoQuote.string(path);
        }
    }
}

package io.tidemark.authorization;

import io.tidemark.authorization.RbacObject.Binding;
import io.tidemark.authorization.RbacObject.Role;
import io.tidemark.authorization.RbacObject.RoleRef;
import io.tidemark.authorization.RbacObject.Subject;
import io.tidemark.json.JsonScanner;
import io.tidemark.json.JsonScanner.Token;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.json.Utf8;
import io.tidemark.json.ValidJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads RBAC objects from JSON, strictly: anything but an object of the expected kind and name is
 * refused. As in the API server, {@code null} is an absent value, of repeated members the last
 * counts, and unknown ones do not matter.
 */
final class RbacReader {
    /** The API server's own limit is higher; its RBAC objects are not a tenth as deep. */
    private static final int MAX_DEPTH = 200;

    private static final Set<String> VERSIONS =
            Set.of("rbac.authorization.k8s.io/v1", "rbac.authorization.k8s.io/v1beta1");

    private final byte[] json;
    private final JsonScanner scanner;

    private String apiVersion = "";
    private String kind = "";
    private String name = "";
    private String namespace = "";
    private List<PolicyRule> rules = List.of();
    private List<Subject> subjects = List.of();
    private RoleRef roleRef = new RoleRef("", "");

    private RbacReader(byte[] json) {
        this.json = json;
        this.scanner = new JsonScanner(json, 0, json.length, MAX_DEPTH, true);
    }

    /**
     * @param id that the object must have
     * @throws MalformedJsonException when it is anything else
     */
    static RbacObject read(RbacId id, byte[] json) {
        RbacReader reader = new RbacReader(json);
        boolean role = id.kind() == RbacKind.ROLE || id.kind() == RbacKind.CLUSTER_ROLE;
        reader.readObject(role);
        reader.requireIdentity(id);
        return role ? new Role(id, reader.rules) : new Binding(id, reader.subjects, reader.roleRef);
    }

    private void readObject(boolean role) {
        members(
                scanner.next(),
                member -> {
                    switch (member) {
                        case "apiVersion" -> apiVersion = text();
                        case "kind" -> kind = text();
                        case "metadata" -> readMetadata();
                        case "rules" -> rules = role ? list(this::rule) : skipped(rules);
                        case "subjects" ->
                                subjects = role ? skipped(subjects) : list(this::subject);
                        case "roleRef" -> roleRef = role ? skipped(roleRef) : roleRef();
                        default -> skip();
                    }
                });
        scanner.finish();
    }

    private void requireIdentity(RbacId id) {
        if (!VERSIONS.contains(apiVersion) || !kind.equals(id.kind().kind())) {
            throw new MalformedJsonException("not a " + id.kind().kind(), 0);
        }
        boolean placed = id.kind().isNamespaced() != id.namespace().isEmpty();
        if (!placed || !name.equals(id.name()) || !namespace.equals(id.namespace())) {
            throw new MalformedJsonException("its name is not that of its key", 0);
        }
    }

    private void readMetadata() {
        members(
                scanner.next(),
                member -> {
                    switch (member) {
                        case "name" -> name = text();
                        case "namespace" -> namespace = text();
                        default -> skip();
                    }
                });
    }

    private PolicyRule rule(Token first) {
        Fields fields = new Fields();
        members(
                first,
                member -> {
                    switch (member) {
                        case "verbs" -> fields.verbs = texts();
                        case "apiGroups" -> fields.apiGroups = texts();
                        case "resources" -> fields.resources = texts();
                        case "resourceNames" -> fields.resourceNames = texts();
                        case "nonResourceURLs" -> fields.nonResourceUrls = texts();
                        default -> skip();
                    }
                });
        return new PolicyRule(
                fields.verbs,
                fields.apiGroups,
                fields.resources,
                fields.resourceNames,
                fields.nonResourceUrls);
    }

    /** The members of the rule, role reference or subject that is being read. */
    private static final class Fields {
        private List<String> verbs = List.of();
        private List<String> apiGroups = List.of();
        private List<String> resources = List.of();
        private List<String> resourceNames = List.of();
        private List<String> nonResourceUrls = List.of();
        private String kind = "";
        private String namespace = "";
        private String name = "";
    }

    private RoleRef roleRef() {
        Fields fields = reference(scanner.next());
        return new RoleRef(fields.kind, fields.name);
    }

    private Subject subject(Token first) {
        Fields fields = reference(first);
        return new Subject(fields.kind, fields.namespace, fields.name);
    }

    private Fields reference(Token first) {
        Fields fields = new Fields();
        members(
                first,
                member -> {
                    switch (member) {
                        case "kind" -> fields.kind = text();
                        case "namespace" -> fields.namespace = text();
                        case "name" -> fields.name = text();
                        default -> skip();
                    }
                });
        return fields;
    }

    /**
     * Reads an object.
     *
     * @param member reads the value of the member that it is given the name of
     */
    private void members(Token first, Consumer<String> member) {
        if (isNull(first)) {
            return;
        }
        require(first == Token.OBJECT, "an object");
        while (scanner.next() == Token.NAME) {
            member.accept(string());
        }
    }

    private List<String> texts() {
        return list(this::text);
    }

    private interface Element<T> {
        T read(Token first);
    }

    private <T> List<T> list(Element<T> element) {
        Token first = scanner.next();
        if (isNull(first)) {
            return List.of();
        }
        require(first == Token.ARRAY, "an array");
        List<T> elements = new ArrayList<>();
        for (Token token = scanner.next(); token != Token.CLOSE; token = scanner.next()) {
            elements.add(element.read(token));
        }
        return elements;
    }

    private String text() {
        return text(scanner.next());
    }

    private String text(Token first) {
        if (isNull(first)) {
            return "";
        }
        require(first == Token.SCALAR && json[scanner.from()] == '"', "a string");
        return string();
    }

    /** The string or name that was scanned last. */
    private String string() {
        return Utf8.wellFormed(ValidJson.unescaped(json, scanner.from() + 1, scanner.to() - 1));
    }

    private <T> T skipped(T value) {
        skip();
        return value;
    }

    private void skip() {
        Token first = scanner.next();
        if (first == Token.OBJECT || first == Token.ARRAY) {
            int open = scanner.depth();
            while (scanner.depth() >= open) {
                scanner.next();
            }
        }
    }

    private boolean isNull(Token token) {
        return token == Token.SCALAR && json[scanner.from()] == 'n';
    }

    private void require(boolean met, String expected) {
        if (!met) {
            throw new MalformedJsonException("not " + expected, scanner.from());
        }
    }
}

package io.tidemark.authorization;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Plausible mistakes of an evaluator. Each rewrites the question, so that the product gives the
 * answer that the mistaken evaluator would give to the original.
 */
enum Mutant {
    IGNORES_VERBS(rules(rule -> set(rule, "verbs", List.of("*")))),
    IGNORES_API_GROUPS(rules(rule -> set(rule, "apiGroups", List.of("*")))),
    IGNORES_SUBRESOURCES(request -> set(request, "subresource", "")),
    A_RESOURCE_INCLUDES_ITS_SUBRESOURCES(
            rules(rule -> edit(rule, "resources", name -> List.of(name, name + "/status")))),
    A_STAR_AFTER_THE_SLASH_IS_ANY_SUBRESOURCE(
            rules(rule ->
                    edit(
                            rule,
                            "resources",
                            name ->
                                    name.endsWith("/*")
                                            ? List.of(name, name.replace("/*", "/status"))
                                            : List.of(name)))),
    A_STAR_BEFORE_THE_SLASH_IS_LITERAL(
            rules(rule ->
                    edit(
                            rule,
                            "resources",
                            name -> name.startsWith("*/") ? List.of() : List.of(name)))),
    A_STAR_COVERS_NO_SUBRESOURCES(
            rules(rule ->
                    edit(
                            rule,
                            "resources",
                            name ->
                                    name.equals("*")
                                            ? List.of("pods", "namespaces", "nodes", "")
                                            : List.of(name)))),
    IGNORES_RESOURCE_NAMES(rules(rule -> set(rule, "resourceNames", List.of()))),
    LISTS_WHOEVER_MAY_GET_ONE(
            new Rewriting() {
                @Override
                Case of(Case original) {
                    return original.request().getOrDefault("name", "").isEmpty()
                            ? IGNORES_RESOURCE_NAMES.rewriting.of(original)
                            : original;
                }
            }),
    A_NAMED_RULE_ALLOWS_NO_LIST(request ->
            List.of("list", "watch").contains(request.get("verb"))
                    ? set(request, "name", "")
                    : request),
    TRAILING_STARS_ARE_LITERAL(
            rules(rule ->
                    edit(
                            rule,
                            "nonResourceURLs",
                            url ->
                                    url.endsWith("*") && url.length() > 1
                                            ? List.of()
                                            : List.of(url)))),
    ONE_TRAILING_STAR_COUNTS(
            rules(rule ->
                    edit(
                            rule,
                            "nonResourceURLs",
                            url -> url.endsWith("**") ? List.of() : List.of(url)))),
    A_PATH_RULE_COVERS_ALL_BELOW(
            rules(rule ->
                    edit(rule, "nonResourceURLs", url -> List.of(url, url + "/*", url + "*")))),
    EVALUATES_AGGREGATION_RULES(
            objects(object ->
                    object.containsKey("aggregationRule")
                            ? set(object, "rules", List.of(everything()))
                            : object)),
    A_CLUSTER_ROLE_BINDING_GRANTS_A_ROLE(
            new Rewriting() {
                @Override
                Case of(Case original) {
                    List<Map<String, Object>> all = new ArrayList<>(original.objects());
                    for (Map<String, Object> each : original.objects()) {
                        if (each.get("kind").equals("ClusterRoleBinding")
                                && member(each, "roleRef").get("kind").equals("Role")) {
                            Map<String, Object> local = set(each, "kind", "RoleBinding");
                            String namespace = original.request().getOrDefault("namespace", "");
                            all.add(
                                    set(
                                            local,
                                            "metadata",
                                            Map.of(
                                                    "name",
                                                    "z" + all.size(),
                                                    "namespace",
                                                    namespace)));
                        }
                    }
                    return original.request().getOrDefault("namespace", "").isEmpty()
                            ? original
                            : new Case(all, original.user(), original.request());
                }
            }),
    USER_STAR_IS_EVERYBODY(
            subjects((subject, user) ->
                    subject.get("kind").equals("User") && subject.get("name").equals("*")
                            ? set(subject, "name", user.get("name"))
                            : subject)),
    A_USER_SUBJECT_IS_ALSO_A_GROUP(
            subjects((subject, _) ->
                    subject.get("kind").equals("User") ? set(subject, "kind", "Group") : subject)),
    A_SERVICE_ACCOUNT_NEEDS_A_NAMESPACE(
            subjects((subject, _) ->
                    subject.get("kind").equals("ServiceAccount")
                                    && !subject.containsKey("namespace")
                            ? set(subject, "kind", "Nobody")
                            : subject)),
    A_SERVICE_ACCOUNT_IS_OF_NAMESPACE_DEFAULT(
            subjects((subject, _) ->
                    subject.get("kind").equals("ServiceAccount")
                                    && !subject.containsKey("namespace")
                            ? set(subject, "namespace", "default")
                            : subject)),
    COMPARES_API_GROUPS_OF_SUBJECTS(
            subjects((subject, _) ->
                    "example.com".equals(subject.get("apiGroup"))
                            ? set(subject, "kind", "Nobody")
                            : subject)),
    COMPARES_API_GROUPS_OF_ROLES(
            objects(object ->
                    "example.com".equals(member(object, "roleRef").get("apiGroup"))
                            ? set(object, "subjects", List.of())
                            : object)),
    A_NAMESPACE_IS_OF_THE_CLUSTER(request ->
            "namespaces".equals(request.get("resource")) ? set(request, "namespace", "") : request),
    A_ROLE_BINDING_COUNTS_EVERYWHERE(
            objects(object ->
                    object.get("kind").equals("RoleBinding")
                                    && member(object, "roleRef").get("kind").equals("ClusterRole")
                            ? set(
                                    set(object, "kind", "ClusterRoleBinding"),
                                    "metadata",
                                    Map.of(
                                            "name",
                                            member(object, "metadata").get("name")
                                                    + "-"
                                                    + member(object, "metadata").get("namespace")))
                            : object)),
    A_MISSING_ROLE_DENIES(
            new Rewriting() {
                @Override
                Case of(Case original) {
                    return ReferenceRbac.answer(
                                            new Case(
                                                    withoutRules(original),
                                                    original.user(),
                                                    original.request()))
                                    .problems()
                                    .isEmpty()
                            ? original
                            : new Case(List.of(), original.user(), original.request());
                }
            });

    private final Rewriting rewriting;

    Mutant(Rewriting rewriting) {
        this.rewriting = rewriting;
    }

    Mutant(UnaryOperator<Map<String, String>> request) {
        this(
                new Rewriting() {
                    @Override
                    Case of(Case original) {
                        return new Case(
                                original.objects(),
                                original.user(),
                                request.apply(original.request()));
                    }
                });
    }

    Case rewrite(Case original) {
        return rewriting.of(original);
    }

    private abstract static class Rewriting {
        abstract Case of(Case original);
    }

    private static Rewriting objects(UnaryOperator<Map<String, Object>> edit) {
        return new Rewriting() {
            @Override
            Case of(Case original) {
                return new Case(
                        original.objects().stream().map(edit).toList(),
                        original.user(),
                        original.request());
            }
        };
    }

    private static Rewriting rules(UnaryOperator<Map<String, Object>> edit) {
        return objects(
                object -> set(object, "rules", maps(object, "rules").stream().map(edit).toList()));
    }

    private interface SubjectEdit {
        Map<String, Object> of(Map<String, Object> subject, Map<String, Object> user);
    }

    private static Rewriting subjects(SubjectEdit edit) {
        return new Rewriting() {
            @Override
            Case of(Case original) {
                return objects(object ->
                                set(
                                        object,
                                        "subjects",
                                        maps(object, "subjects").stream()
                                                .map(each -> edit.of(each, original.user()))
                                                .toList()))
                        .of(original);
            }
        };
    }

    private static List<Map<String, Object>> withoutRules(Case original) {
        return original.objects().stream().map(each -> set(each, "rules", List.of())).toList();
    }

    private static Map<String, Object> everything() {
        List<String> all = List.of("*");
        return Map.of("verbs", all, "apiGroups", all, "resources", all, "nonResourceURLs", all);
    }

    private static <V> Map<String, V> set(Map<String, V> map, String name, V value) {
        Map<String, V> copy = new LinkedHashMap<>(map);
        copy.put(name, value);
        return copy;
    }

    private static Map<String, Object> edit(
            Map<String, Object> rule, String member, Function<String, List<String>> edit) {
        List<String> edited = new ArrayList<>();
        if (rule.get(member) instanceof List<?> values) {
            values.forEach(value -> edited.addAll(edit.apply(String.valueOf(value))));
        }
        return set(rule, member, edited);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> member(Map<String, Object> object, String name) {
        return (Map<String, Object>) object.getOrDefault(name, Map.of());
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> maps(Map<String, Object> object, String member) {
        return (List<Map<String, Object>>) object.getOrDefault(member, List.of());
    }
}

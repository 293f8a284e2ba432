package io.tidemark.authorization;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Makes a failing case small: takes out what the failure does not need. */
final class CaseShrinker {
    private CaseShrinker() {}

    static Case shrink(Case failing, Predicate<Case> fails) {
        Case smallest = failing;
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (Case candidate : smallerThan(smallest)) {
                if (fails.test(candidate)) {
                    smallest = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        return smallest;
    }

    private static List<Case> smallerThan(Case large) {
        List<Case> all = new ArrayList<>();
        without(
                large.objects(),
                objects -> {
                    if (objects instanceof List<?> list) {
                        all.add(new Case(asObjects(list), large.user(), large.request()));
                    }
                });
        without(
                large.user(),
                user -> {
                    if (user instanceof Map<?, ?> map && map.size() == large.user().size()) {
                        all.add(new Case(large.objects(), asObject(map), large.request()));
                    }
                });
        return all;
    }

    /** Passes the value without each one of its elements or members, at any depth. */
    private static void without(Object value, Consumer<Object> action) {
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                List<Object> rest = new ArrayList<>(list);
                rest.remove(i);
                action.accept(rest);
            }
            for (int i = 0; i < list.size(); i++) {
                int at = i;
                without(
                        list.get(i),
                        smaller -> {
                            List<Object> copy = new ArrayList<>(list);
                            copy.set(at, smaller);
                            action.accept(copy);
                        });
            }
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) ->
                    without(
                            member,
                            smaller -> {
                                Map<Object, Object> copy = new LinkedHashMap<>(map);
                                copy.put(name, smaller);
                                action.accept(copy);
                            }));
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> asObjects(List<?> list) {
        return (List<Map<String, Object>>) list;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asObject(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}

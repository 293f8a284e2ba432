package io.tidemark.query.http.access;

import io.tidemark.json.GoQuote;
import io.tidemark.query.wire.Parameters;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The caller that a request wants to be served as, as its headers say.
 *
 * @param uid empty for none
 * @param extra by lower-case key, sorted
 */
record WantedCaller(
        String name, String uid, List<String> groups, TreeMap<String, List<String>> extra) {
    /** The beginning of all headers that name a wanted caller, in lower case. */
    static final String PREFIX = "impersonate-";

    private static final String EXTRA = PREFIX + "extra-";

    /**
     * @param headers the values of {@code Impersonate-} headers by lower-case name
     * @return empty when no caller is wanted; headers of other names do not count
     * @throws StatusException 400 when a part of a caller is wanted without a name
     */
    static Optional<WantedCaller> of(Map<String, List<String>> headers) {
        TreeMap<String, List<String>> extra = new TreeMap<>();
        headers.forEach((header, values) -> {
            if (header.startsWith(EXTRA)) {
                extra.computeIfAbsent(
                                unescaped(header.substring(EXTRA.length())), _ -> new ArrayList<>())
                        .addAll(values);
            }
        });
        WantedCaller wanted =
                new WantedCaller(
                        first(headers, "user"),
                        first(headers, "uid"),
                        headers.getOrDefault(PREFIX + "group", List.of()),
                        extra);
        if (!wanted.name().isEmpty()) {
            return Optional.of(wanted);
        }
        if (!wanted.hasNameOnly()) {
            throw StatusErrors.badRequest(
                    "requested " + wanted.asGo() + " without impersonating a user name");
        }
        return Optional.empty();
    }

    /** Whether nothing but the name is set. */
    boolean hasNameOnly() {
        return uid.isEmpty() && groups.isEmpty() && extra.isEmpty();
    }

    private static String first(Map<String, List<String>> headers, String name) {
        List<String> values = headers.getOrDefault(PREFIX + name, List.of());
        return values.isEmpty() ? "" : values.getFirst();
    }

    /** A key that is no valid escape stays as it is. */
    private static String unescaped(String key) {
        try {
            return Parameters.decode(key.toLowerCase(Locale.ROOT), false).utf8();
        } catch (StatusException _) {
            return key;
        }
    }

    /** In the words of the API server's error. */
    private String asGo() {
        String map =
                extra.isEmpty()
                        ? "(nil)"
                        : extra.entrySet().stream()
                                .map(each ->
                                        GoQuote.string(each.getKey())
                                                + ":"
                                                + slice(each.getValue()))
                                .collect(Collectors.joining(", ", "{", "}"));
        return "&user.DefaultInfo{Name:\"\", UID:%s, Groups:%s, Extra:map[string][]string%s}"
                .formatted(GoQuote.string(uid), slice(groups), map);
    }

    private static String slice(List<String> values) {
        return values.isEmpty()
                ? "[]string(nil)"
                : values.stream()
                        .map(GoQuote::string)
                        .collect(Collectors.joining(", ", "[]string{", "}"));
    }
}

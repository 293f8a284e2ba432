package io.tidemark.fuzz;

import io.tidemark.record.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decides from the request's target which tenants' objects a response may contain. */
final class PathOracle {
    private static final Set<String> ALL = Set.copyOf(Tenants.NAMES);

    private final Tenants tenants;

    PathOracle(Tenants tenants) {
        this.tenants = tenants;
    }

    /**
     * @param target as in the request line, with or without scheme and authority
     */
    Set<String> mayShow(String target) {
        Optional<byte[]> decoded = decode(pathOf(target));
        if (decoded.isEmpty()) {
            return Set.of();
        }
        String path = Bytes.wrap(decoded.get()).utf8();
        if (path.equals("/kv") || path.equals("/kv/")) {
            return ALL;
        }
        if (path.startsWith("/kv/")) {
            return ofKeys(Bytes.wrap(decoded.get()).slice(4, decoded.get().length));
        }
        return ofObjects(List.of(path.split("/", -1)));
    }

    private Set<String> ofKeys(Bytes key) {
        Bytes slash = Bytes.utf8("/");
        return tenants.below(key.startsWith(slash) ? key : slash.concat(key));
    }

    /** A namespace in the path is the only one; paths with dot segments match nothing. */
    private static Set<String> ofObjects(List<String> segments) {
        if (segments.contains("..") || segments.contains(".")) {
            return Set.of();
        }
        int at = segments.indexOf("namespaces");
        if (at < 0 || at + 1 >= segments.size() || segments.get(at + 1).isEmpty()) {
            return ALL;
        }
        Set<String> only = new HashSet<>(ALL);
        only.retainAll(Set.of(segments.get(at + 1)));
        return only;
    }

    private static String pathOf(String target) {
        String path = target;
        int scheme = path.indexOf("://");
        if (scheme > 0 && !path.startsWith("/")) {
            int slash = path.indexOf('/', scheme + 3);
            path = slash < 0 ? "/" : path.substring(slash);
        }
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '?' || path.charAt(i) == '#') {
                return path.substring(0, i);
            }
        }
        return path;
    }

    /** With all valid escapes decoded. */
    static String readable(String text) {
        return Pattern.compile("%([0-9a-fA-F]{2})")
                .matcher(text)
                .replaceAll(escape ->
                        Matcher.quoteReplacement(
                                Character.toString(Integer.parseInt(escape.group(1), 16))));
    }

    private static Optional<byte[]> decode(String path) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) != '%') {
                out.write(path.charAt(i));
                continue;
            }
            int high = i + 2 < path.length() ? Character.digit(path.charAt(i + 1), 16) : -1;
            int low = i + 2 < path.length() ? Character.digit(path.charAt(i + 2), 16) : -1;
            if (high < 0 || low < 0) {
                return Optional.empty();
            }
            out.write(high << 4 | low);
            i += 2;
        }
        return Optional.of(out.toByteArray());
    }
}

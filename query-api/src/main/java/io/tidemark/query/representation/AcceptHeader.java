package io.tidemark.query.representation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses an Accept header like the API server: media ranges of higher quality and those without
 * wildcards come first, else their order stays; types are case-sensitive; invalid parts are
 * skipped.
 */
public final class AcceptHeader {
    /** More parts than any client sends; further ones are ignored. */
    private static final int MAX_PARTS = 64;

    private AcceptHeader() {}

    /** One media range with its parameters, {@code q} not among them. */
    public record MediaRange(
            String type, String subtype, double quality, Map<String, String> parameters) {
        /** Whether the range includes {@code mediaType}, ignoring parameters. */
        public boolean allows(String mediaType) {
            if (subtype.equals("*")) {
                return type.equals("*") || mediaType.startsWith(type + "/");
            }
            return mediaType.equals(type + "/" + subtype);
        }

        /**
         * Whether its other parameters allow {@code mediaType}: {@code stream} must be {@code
         * watch}, which YAML does not support; {@code sv} must be a known version of the lists.
         *
         * @param versions allowed values of {@code sv}
         */
        boolean permits(String mediaType, List<String> versions) {
            String stream = parameter("stream");
            String version = parameter("sv");
            return (stream.isEmpty() || stream.equals("watch") && !mediaType.endsWith("yaml"))
                    && (version.isEmpty() || versions.contains(version));
        }

        /** Whether it requests a transformation, such as a Table. */
        boolean transforms() {
            return parameters.containsKey("as")
                    || parameters.containsKey("g")
                    || parameters.containsKey("v");
        }

        /** Empty when it is absent. */
        public String parameter(String name) {
            return parameters.getOrDefault(name, "");
        }
    }

    /** The ranges in the order to try them; an empty header accepts anything. */
    public static List<MediaRange> parse(String header) {
        if (header.isBlank()) {
            return List.of(new MediaRange("*", "*", 1, Map.of()));
        }
        List<MediaRange> wishes = new ArrayList<>();
        for (String part : header.split(",", MAX_PARTS)) {
            String[] pieces = part.split(";", MAX_PARTS);
            String[] range = pieces[0].strip().split("/", -1);
            if (range.length == 1 && range[0].equals("*")) {
                range = new String[] {"*", "*"};
            }
            if (range.length != 2 || range[1].isEmpty()) {
                continue;
            }
            wishes.add(wish(range, pieces));
        }
        sort(wishes);
        return List.copyOf(wishes);
    }

    /**
     * The API server's insertion sort. Its comparison contradicts itself: a wildcard of higher
     * quality and a type of lower quality each come before the other. Which one does depends on
     * their order in the header.
     */
    private static void sort(List<MediaRange> wishes) {
        for (int end = 1; end < wishes.size(); end++) {
            for (int at = end; at > 0 && isFirst(wishes.get(at), wishes.get(at - 1)); at--) {
                Collections.swap(wishes, at, at - 1);
            }
        }
    }

    private static boolean isFirst(MediaRange one, MediaRange other) {
        return one.quality() > other.quality()
                || !one.type().equals("*") && other.type().equals("*")
                || !one.subtype().equals("*") && other.subtype().equals("*");
    }

    /**
     * Whether one of the header's types is among {@code mediaTypes}, or is a full wildcard. Simpler
     * than {@link #parse}: like the API server's routing, it ignores {@code application/*}.
     */
    public static boolean routes(String header, List<String> mediaTypes) {
        if (header.isBlank()) {
            return true;
        }
        for (String part : header.split(",", MAX_PARTS)) {
            int semicolon = part.indexOf(';');
            String type = (semicolon < 0 ? part : part.substring(0, semicolon)).strip();
            if (type.equals("*/*") || mediaTypes.contains(type)) {
                return true;
            }
        }
        return false;
    }

    private static MediaRange wish(String[] range, String[] pieces) {
        double quality = 1;
        Map<String, String> parameters = new HashMap<>();
        for (int i = 1; i < pieces.length; i++) {
            String[] pair = pieces[i].split("=", -1);
            if (pair.length != 2 || pair[1].isEmpty()) {
                continue;
            }
            if (pair[0].strip().equals("q")) {
                quality = quality(pair[1].strip());
            } else {
                parameters.put(pair[0].strip(), pair[1].strip());
            }
        }
        return new MediaRange(range[0].strip(), range[1].strip(), quality, parameters);
    }

    private static double quality(String text) {
        try {
            double quality = Double.parseDouble(text);
            return Double.isNaN(quality) ? 0 : quality;
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}

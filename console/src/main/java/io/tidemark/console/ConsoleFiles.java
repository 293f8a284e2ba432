package io.tidemark.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All files of the console, in memory. Only what is listed here can be asked for. Immutable. */
public final class ConsoleFiles {
    private static final List<String> OWN =
            List.of(
                    "index.html",
                    "style.css",
                    "icon.svg",
                    "api.js",
                    "app.js",
                    "changes.js",
                    "compare.js",
                    "chart.js",
                    "explorer.js",
                    "item.js",
                    "linediff.js",
                    "mirror.js",
                    "object.js",
                    "recent.js",
                    "route.js",
                    "rows.js",
                    "time.js",
                    "yaml.js");

    /** Under the names by which they import each other. */
    private static final List<String> LIT =
            List.of(
                    "lit-html.js",
                    "directive.js",
                    "directive-helpers.js",
                    "directives/keyed.js",
                    "directives/repeat.js");

    private static final String LIT_FOLDER = "META-INF/resources/_static/lit-html/3.3.1/";

    private final Map<String, ConsoleFile> files = new TreeMap<>();

    /**
     * One file.
     *
     * @param content for reading only
     * @param tag changes with the content
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record ConsoleFile(byte[] content, String contentType, String tag) {}

    private ConsoleFiles() {}

    /**
     * Reads the files.
     *
     * @throws UncheckedIOException when one is missing
     */
    public static ConsoleFiles load() {
        ConsoleFiles loaded = new ConsoleFiles();
        for (String name : OWN) {
            loaded.add(name, read(ConsoleFiles.class.getResourceAsStream(name), name));
        }
        ClassLoader jars = ConsoleFiles.class.getClassLoader();
        for (String name : LIT) {
            loaded.add(name, read(jars.getResourceAsStream(LIT_FOLDER + name), name));
        }
        return loaded;
    }

    private static byte[] read(InputStream from, String name) {
        try (InputStream in = from) {
            if (in == null) {
                throw new IOException("the console lacks " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String name, byte[] content) {
        files.put(name, new ConsoleFile(content, contentType(name), tag(content)));
    }

    /**
     * A file by its name.
     *
     * @param name such as {@code app.js}; empty for the page itself
     */
    public Optional<ConsoleFile> find(String name) {
        return Optional.ofNullable(files.get(name.isEmpty() ? "index.html" : name));
    }

    /** The names of all files. */
    public List<String> names() {
        return List.copyOf(files.keySet());
    }

    private static String contentType(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalArgumentException("a file of an unknown type: " + name);
        };
    }

    private static String tag(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return '"' + HexFormat.of().formatHex(digest, 0, 16) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.tidemark.local.etcd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The machine's package sources, read from apt's files in both of their formats. Only sources with
 * a {@code main} component that are not security or third-party archives count as Debian mirrors.
 */
public record AptSources(List<Source> sources) {

    /** One archive: its URI, and the suites and components in use. */
    record Source(String uri, List<String> suites, List<String> components) {

        /** Debian's main archive has the suites' plain names; others carry a suffix or a slash. */
        boolean isDebianMirror(String codename) {
            return (uri.startsWith("http://") || uri.startsWith("https://"))
                    && !uri.contains("security")
                    && components.contains("main")
                    && suites.contains(codename);
        }
    }

    static AptSources ofMachine() throws IOException {
        return read(Path.of("/etc/apt"));
    }

    static AptSources read(Path aptFolder) throws IOException {
        List<Source> sources = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        Path parts = aptFolder.resolve("sources.list.d");
        if (Files.isDirectory(parts)) {
            try (Stream<Path> listed = Files.list(parts)) {
                listed.sorted().forEach(files::add);
            }
        }
        files.add(aptFolder.resolve("sources.list"));
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                continue;
            }
            String text = Files.readString(file, StandardCharsets.UTF_8);
            if (file.toString().endsWith(".sources")) {
                sources.addAll(stanzas(text));
            } else if (file.toString().endsWith(".list")) {
                sources.addAll(lines(text));
            }
        }
        return new AptSources(List.copyOf(sources));
    }

    /** The addresses of Debian mirrors, in the order of the files, each once. */
    List<String> debianMirrors() throws IOException {
        return debianMirrors(osRelease("VERSION_CODENAME"));
    }

    List<String> debianMirrors(String codename) {
        Set<String> uris = new LinkedHashSet<>();
        for (Source source : sources) {
            if (source.isDebianMirror(codename)) {
                uris.add(source.uri());
            }
        }
        return List.copyOf(uris);
    }

    private static String osRelease(String name) throws IOException {
        Path file = Path.of("/etc/os-release");
        if (!Files.isReadable(file)) {
            return "";
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        // Ubuntu's archive has the same form, but not Debian's suites.
        if (!lines.contains("ID=debian")) {
            return "";
        }
        return lines.stream()
                .filter(line -> line.startsWith(name + "="))
                .map(line -> line.substring(name.length() + 1).replace("\"", ""))
                .findFirst()
                .orElse("");
    }

    /** {@code deb [options] URI SUITE COMPONENT...} */
    private static List<Source> lines(String text) {
        List<Source> found = new ArrayList<>();
        for (String line : text.lines().toList()) {
            List<String> words = words(line.replaceFirst("\\[[^]]*]", " "));
            if (words.size() >= 4 && words.getFirst().equals("deb")) {
                found.add(
                        new Source(
                                words.get(1),
                                List.of(words.get(2)),
                                words.subList(3, words.size())));
            }
        }
        return found;
    }

    /** Paragraphs of {@code Name: value} lines. */
    private static List<Source> stanzas(String text) {
        List<Source> found = new ArrayList<>();
        for (String stanza : text.split("\n\\s*\n")) {
            if (field(stanza, "enabled").contains("no")) {
                continue;
            }
            for (String uri : field(stanza, "uris")) {
                found.add(new Source(uri, field(stanza, "suites"), field(stanza, "components")));
            }
        }
        return found;
    }

    private static List<String> field(String stanza, String name) {
        return stanza.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .flatMap(line -> words(line.substring(name.length() + 1)).stream())
                .toList();
    }

    private static List<String> words(String line) {
        return Arrays.stream(line.strip().split("\\s+")).filter(word -> !word.isEmpty()).toList();
    }
}

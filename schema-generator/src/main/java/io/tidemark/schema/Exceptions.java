package io.tidemark.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the descriptors do not say, by line; {@code #} begins a comment.
 *
 * <pre>
 * package core.v1 v1                    a published package, and the apiVersion of its kinds
 * copy P VERSION from Q KIND...         an unpublished package: as Q, with all or these kinds
 * new P VERSION                         an unpublished package whose messages follow below
 * stored MESSAGE / not-stored MESSAGE   a kind, or none, against the rule
 * used MESSAGE                          needed although no kind contains it
 * labels MESSAGE PATH                   an object without labels is served with these
 * embedded FIELD...                     messages of this name are printed without it
 * always FIELD..., present FIELD..., unless-empty FIELD...
 *                                       rules by name: see {@link PrintRules}
 * in MESSAGE FIELD!...                  rules for the fields of one message
 * kind MESSAGE, type MESSAGE            a whole message, in the format of the tables
 * patch MESSAGE                         lines that replace those of their number; a line with an
 *                                       unknown number follows the line before it
 * </pre>
 */
final class Exceptions {
    /** A change of the tables; they apply in the order of the file. */
    sealed interface Change {
        /** A package that the descriptors lack, as another one; no kinds means all of its kinds. */
        record Copy(String packageName, String from, List<String> kinds) implements Change {}

        /** A whole message. */
        record Message(String name, boolean isKind, List<String> lines) implements Change {}

        /** Changed lines; the name is qualified, or means the messages of all packages. */
        record Patch(String name, List<String> lines) implements Change {}
    }

    final PrintRules rules = new PrintRules();
    final Map<String, String> apiVersions = new LinkedHashMap<>();
    final Set<String> published = new HashSet<>();
    final Set<String> stored = new HashSet<>();
    final Set<String> notStored = new HashSet<>();
    final Set<String> used = new HashSet<>();
    final Map<String, String> labels = new HashMap<>();
    final Set<String> embedded = new HashSet<>();
    final List<Change> changes = new ArrayList<>();

    private List<String> lines = List.of();

    private Exceptions() {}

    /**
     * Parses the lines of the file.
     *
     * @throws IllegalStateException with the number of a line that is not valid
     */
    static Exceptions parse(List<String> lines) {
        Exceptions exceptions = new Exceptions();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            try {
                if (!line.isEmpty() && !line.startsWith("#")) {
                    exceptions.line(line);
                }
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new IllegalStateException("exceptions:" + (i + 1) + ": " + line, e);
            }
        }
        return exceptions;
    }

    private void line(String line) {
        if (Character.isDigit(line.charAt(0))) {
            lines.add(line);
            return;
        }
        List<String> words = Arrays.asList(line.split(" +"));
        List<String> names = words.subList(1, words.size());
        switch (words.getFirst()) {
            case "package" -> {
                published.add(names.getFirst());
                apiVersions.put(names.getFirst(), names.size() < 2 ? "" : names.get(1));
            }
            case "new" -> apiVersions.put(names.getFirst(), names.get(1));
            case "copy" -> {
                apiVersions.put(names.getFirst(), names.get(1));
                List<String> kinds = names.subList(4, names.size());
                changes.add(new Change.Copy(names.getFirst(), names.get(3), kinds));
            }
            case "stored" -> stored.addAll(names);
            case "not-stored" -> notStored.addAll(names);
            case "used" -> used.addAll(names);
            case "labels" -> labels.put(names.getFirst(), names.get(1));
            case "embedded" -> embedded.addAll(names);
            case "always" -> names.forEach(name -> rules.name(name, "!"));
            case "present" -> names.forEach(name -> rules.name(name, "*"));
            case "unless-empty" -> names.forEach(name -> rules.name(name, "?"));
            case "in" -> rules.message(names.getFirst(), names.subList(1, names.size()));
            case "kind" -> changes.add(new Change.Message(names.getFirst(), true, begin()));
            case "type" -> changes.add(new Change.Message(names.getFirst(), false, begin()));
            case "patch" -> changes.add(new Change.Patch(names.getFirst(), begin()));
            default -> throw new IllegalArgumentException("unknown word " + words.getFirst());
        }
    }

    private List<String> begin() {
        lines = new ArrayList<>();
        return lines;
    }
}

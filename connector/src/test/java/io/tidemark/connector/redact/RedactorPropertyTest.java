package io.tidemark.connector.redact;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.redact.RedactionPath.Step;
import io.tidemark.connector.redact.TextTree.Elements;
import io.tidemark.connector.redact.TextTree.Member;
import io.tidemark.connector.redact.TextTree.Members;
import io.tidemark.connector.redact.TextTree.Scalar;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Compares the redactor with a plain one, which visits a whole tree and knows each value's path.
 */
class RedactorPropertyTest {
    private static final int RUNS = 2_000;
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final List<String> NAMES =
            List.of(
                    "a",
                    "b",
                    "items",
                    "metadata",
                    "annotations",
                    "managedFields",
                    LAST_APPLIED,
                    "",
                    "é",
                    "😀",
                    "a.b",
                    "it's",
                    "back\\slash",
                    "new\nline");
    private static final List<String> SCALARS =
            List.of("0", "-1.50e3", "true", "null", "\"\"", "\"a\"", "\"é\\n\\u0061\"", "\"}]\"");
    private static final List<String> SPACES = List.of("", "", "", " ", "\n", "\t\r\n ");

    private SplittableRandom random = new SplittableRandom(0);

    @Test
    void replacesWhatAPlainRedactorReplaces() {
        int changed = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            random = new SplittableRandom(seed);
            List<RedactionPath> paths = paths();
            RedactionRules rules =
                    RedactionRules.parse(paths.stream().map(path -> "configmaps=" + path).toList());
            Bytes json = Bytes.utf8(object(0));
            Redactor redactor = new Redactor(rules, List.of());
            Bytes redacted = redactor.redacted(1, json, 1 << 20);
            TextTree before = TextTree.read(json);
            TextTree expected = plain(before, paths, List.of());
            assertThat(TextTree.read(redacted))
                    .as("seed %d: %s in %s", seed, rules, json.utf8())
                    .isEqualTo(expected);
            changed += expected.equals(before) ? 0 : 1;
            assertThat(redactor.redacted(1, redacted, 1 << 20)).isEqualTo(redacted);
        }
        assertThat(changed).isBetween(RUNS / 5, RUNS * 19 / 20);
    }

    private static TextTree plain(TextTree tree, List<RedactionPath> paths, List<Object> at) {
        if (isRedacted(paths, at)) {
            return new Scalar("\"redacted\"");
        }
        if (isManagedFields(at)) {
            return new Elements(List.of());
        }
        return switch (tree) {
            case Scalar scalar -> scalar;
            case Members(List<Member> all) ->
                    new Members(
                            all.stream()
                                    .map(member ->
                                            new Member(
                                                    member.name(),
                                                    plain(
                                                            member.value(),
                                                            paths,
                                                            and(at, member.name()))))
                                    .toList());
            case Elements(List<TextTree> all) ->
                    new Elements(all.stream().map(each -> plain(each, paths, and(at, 0))).toList());
        };
    }

    private static boolean isRedacted(List<RedactionPath> paths, List<Object> at) {
        return paths.stream().anyMatch(path -> leads(path.steps(), at))
                || at.equals(List.of("metadata", "annotations", LAST_APPLIED))
                || isItem(at) && isRedacted(paths, at.subList(2, at.size()));
    }

    private static boolean isManagedFields(List<Object> at) {
        return at.equals(List.of("metadata", "managedFields"))
                || isItem(at) && isManagedFields(at.subList(2, at.size()));
    }

    private static boolean isItem(List<Object> at) {
        return at.size() > 2 && at.getFirst().equals("items");
    }

    private static boolean leads(List<Step> steps, List<Object> at) {
        if (steps.size() != at.size()) {
            return false;
        }
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) instanceof Step.Member(String name) && !name.equals(at.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static List<Object> and(List<Object> at, Object step) {
        List<Object> longer = new ArrayList<>(at);
        longer.add(step);
        return longer;
    }

    private List<RedactionPath> paths() {
        List<RedactionPath> paths = new ArrayList<>();
        while (paths.isEmpty() || random.nextInt(3) > 0) {
            List<Step> steps = new ArrayList<>();
            steps.add(new Step.Member(one(List.of("a", "b", "a", "b", "é", "it's", "a.b"))));
            while (random.nextInt(3) > 0) {
                String name = name();
                steps.add(
                        random.nextInt(3) == 0 || name.equals("new\nline")
                                ? new Step.Every()
                                : new Step.Member(name));
            }
            paths.add(new RedactionPath(steps));
        }
        return paths;
    }

    private String value(int depth) {
        return switch (random.nextInt(depth > 5 ? 1 : 3)) {
            case 0 -> one(SCALARS);
            case 1 -> array(depth);
            default -> object(depth);
        };
    }

    private String array(int depth) {
        List<String> elements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            elements.add(space() + value(depth + 1) + space());
        }
        return "[" + String.join(",", elements) + space() + "]";
    }

    private String object(int depth) {
        List<String> members = new ArrayList<>();
        for (int i = random.nextInt(depth == 0 ? 9 : 6); i > 0; i--) {
            members.add(
                    space()
                            + quoted(name())
                            + space()
                            + ":"
                            + space()
                            + value(depth + 1)
                            + space());
        }
        return "{" + String.join(",", members) + space() + "}";
    }

    /** Often one of a few, so that paths meet members. */
    private String name() {
        return one(random.nextBoolean() ? NAMES : NAMES.subList(0, 3));
    }

    /** A name in quotes, with needed escapes and some others. */
    private String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        boolean often = random.nextInt(4) == 0;
        for (int c : text.codePoints().toArray()) {
            if (c < ' ' || often && random.nextBoolean()) {
                for (char half : Character.toChars(c)) {
                    out.append("\\u%04x".formatted((int) half));
                }
            } else if (c == '\\') {
                out.append("\\\\");
            } else {
                out.appendCodePoint(c);
            }
        }
        return out.append('"').toString();
    }

    private String space() {
        return one(SPACES);
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}

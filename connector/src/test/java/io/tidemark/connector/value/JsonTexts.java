package io.tidemark.connector.value;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** Random JSON texts around Kubernetes objects, and ways to break them. */
final class JsonTexts {
    private static final List<String> SCALARS =
            List.of(
                    "0",
                    "-0",
                    "1.50",
                    "1e9",
                    "-2E-3",
                    "01",
                    "1.",
                    ".5",
                    "-",
                    "+1",
                    "1e",
                    "true",
                    "false",
                    "null",
                    "nul",
                    "\"\"",
                    "\"a b\"",
                    "\"\\u00e9\\n\"",
                    "\"é€😀\"",
                    "\"\\ud800\"",
                    "\"\\x\"",
                    "\"tab\there\"",
                    "NaN",
                    "12345678901234567890",
                    "\"\\/\\\\\\\"\"",
                    "\"\\u00g0\"");
    private static final List<String> SPACES = List.of("", "", "", " ", "\n", "\t ", "\r\n", "\f");
    private static final List<String> NAMES =
            List.of(
                    "spec",
                    "name",
                    "metadata",
                    "kind",
                    "resourceVersion",
                    "apiVersion",
                    "labels",
                    "",
                    "é",
                    "na\\u006de",
                    "k\\u0069nd",
                    "a\\nb");
    private static final List<String> FRAGMENTS =
            List.of(
                    "{",
                    "}",
                    "[",
                    "]",
                    ",",
                    ":",
                    "\"",
                    "\\",
                    " ",
                    "\n",
                    "0",
                    "e",
                    "\u0000",
                    "\u007f",
                    "\"x\":1,",
                    "null",
                    "\"metadata\":{},",
                    "\"kind\":\"K\",");

    private JsonTexts() {}

    static String object(SplittableRandom random) {
        List<String> members = new ArrayList<>();
        if (random.nextInt(20) > 0) {
            members.add("\"apiVersion\"" + colon(random) + mostly(random, "\"apps/v1\""));
        }
        if (random.nextInt(20) > 0) {
            members.add(
                    (random.nextInt(9) == 0 ? "\"k\\u0069nd\"" : "\"kind\"")
                            + colon(random)
                            + mostly(random, "\"Deployment\""));
        }
        if (random.nextInt(20) > 0) {
            members.add("\"metadata\"" + colon(random) + metadata(random));
        }
        if (random.nextBoolean()) {
            members.add("\"spec\"" + colon(random) + valid(random, 4));
        }
        return joined(random, '{', members, '}') + space(random);
    }

    private static String metadata(SplittableRandom random) {
        if (random.nextInt(20) == 0) {
            return valid(random, 2);
        }
        List<String> members = new ArrayList<>();
        if (random.nextInt(20) > 0) {
            members.add("\"name\"" + colon(random) + mostly(random, "\"web\""));
        }
        if (random.nextInt(3) == 0) {
            members.add(
                    (random.nextInt(9) == 0 ? "\"resourceV\\u0065rsion\"" : "\"resourceVersion\"")
                            + colon(random)
                            + mostly(random, "\"17\""));
        }
        if (random.nextBoolean()) {
            members.add("\"labels\"" + colon(random) + valid(random, 2));
        }
        return joined(random, '{', members, '}');
    }

    private static String joined(
            SplittableRandom random, char open, List<String> members, char close) {
        for (int i = members.size() - 1; i > 0; i--) {
            Collections.swap(members, i, random.nextInt(i + 1));
        }
        StringBuilder text = new StringBuilder(space(random)).append(open).append(space(random));
        for (int i = 0; i < members.size(); i++) {
            text.append(i == 0 ? "" : ",").append(space(random)).append(members.get(i));
            text.append(space(random));
        }
        return text.append(close).toString();
    }

    private static String mostly(SplittableRandom random, String usual) {
        return random.nextInt(15) > 0 ? usual : valid(random, 2);
    }

    private static String valid(SplittableRandom random, int depth) {
        int choice = random.nextInt(depth == 0 ? 4 : 8);
        if (choice < 4) {
            return random.nextInt(8) == 0 ? any(SCALARS, random) : "\"text " + choice + "\"";
        }
        List<String> members = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            String value = valid(random, depth - 1);
            members.add(
                    choice < 6
                            ? value
                            : "\"" + any(NAMES, random) + i + "\"" + colon(random) + value);
        }
        return choice < 6 ? joined(random, '[', members, ']') : joined(random, '{', members, '}');
    }

    private static String colon(SplittableRandom random) {
        return space(random) + ":" + space(random);
    }

    private static String space(SplittableRandom random) {
        return random.nextInt(3) == 0 ? SPACES.get(random.nextInt(SPACES.size() - 1)) : "";
    }

    static byte[] mutated(byte[] text, SplittableRandom random) {
        int at = random.nextInt(text.length + 1);
        return switch (random.nextInt(6)) {
            case 0 -> Arrays.copyOf(text, at);
            case 1 -> spliced(text, at, Math.min(text.length, at + 1), new byte[0]);
            case 2 -> {
                byte[] changed = text.clone();
                if (at < text.length) {
                    changed[at] = (byte) random.nextInt(256);
                }
                yield changed;
            }
            case 3 -> spliced(text, at, at, any(FRAGMENTS, random).getBytes(UTF_8));
            case 4 -> {
                int end = Math.min(text.length, at + random.nextInt(12));
                yield spliced(text, end, end, Arrays.copyOfRange(text, at, end));
            }
            default -> spliced(text, at, at, any(SPACES, random).getBytes(UTF_8));
        };
    }

    private static final Charset UTF_8 = StandardCharsets.UTF_8;

    private static byte[] spliced(byte[] text, int from, int to, byte[] middle) {
        byte[] joined = new byte[text.length - (to - from) + middle.length];
        System.arraycopy(text, 0, joined, 0, from);
        System.arraycopy(middle, 0, joined, from, middle.length);
        System.arraycopy(text, to, joined, from + middle.length, text.length - to);
        return joined;
    }

    private static String any(List<String> choices, SplittableRandom random) {
        return choices.get(random.nextInt(choices.size()));
    }

    static boolean hasSpaceBetweenTokens(String json) {
        boolean inString = false;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (inString && c == '\\') {
                i++;
            } else if (c == '"') {
                inString = !inString;
            } else if (!inString && Character.isWhitespace(c)) {
                return true;
            }
        }
        return false;
    }
}

package io.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Keeps words out of prose that make a sentence hard to understand: in the documents, in comments,
 * and in log lines, error messages and help texts of the product. Code in documents does not count,
 * nor do strings in tests.
 */
class PlainWordsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".tools", ".tidemark");

    private static final Pattern AVOIDED =
            Pattern.compile(
                    "\\b(nobody|somebody|whoever|whatever|anew|thus|hence|of its own|as it stands"
                            + "|is told|stands by|sees to it)\\b",
                    Pattern.CASE_INSENSITIVE);

    /** A string, a text block, a character or a comment. */
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\"\"\"(?:[^\"\\\\]++|\\\\.|\"(?!\"\"))*+\"\"\"|\"(?:[^\"\\\\\\n]++|\\\\.)*+\""
                            + "|'(?:[^'\\\\\\n]++|\\\\.)*+'|//[^\\n]*+"
                            + "|/\\*(?:[^*]++|\\*(?!/))*+\\*/",
                    Pattern.DOTALL);

    private static final Pattern CODE_IN_MARKDOWN =
            Pattern.compile("```.*?```|`[^`\\n]*`|\\]\\([^)\\s]*\\)", Pattern.DOTALL);

    @Test
    void documentsUsePlainWords() throws IOException {
        assertThat(
                        hits(
                                ".md",
                                text ->
                                        CODE_IN_MARKDOWN
                                                .matcher(text)
                                                .replaceAll(code -> blank(code.group()))))
                .isEmpty();
    }

    @Test
    void commentsMessagesAndHelpUsePlainWords() throws IOException {
        assertThat(hits(".java", PlainWordsTest::proseOfJava)).isEmpty();
    }

    @Test
    void findsAWordInACommentAndInAString() {
        String source = "int anew; // told anew\nString s = \"whatever\"; /* of\n its own */";
        assertThat(AVOIDED.matcher(proseOfJava(source)).results().count()).isEqualTo(2);
    }

    /** Spaces in place of a text, so that what follows it stays on its line. */
    private static String blank(String text) {
        return text.replaceAll("[^\\n]", " ");
    }

    /** Comments and strings, each on its own line of the file. */
    private static String proseOfJava(String source) {
        StringBuilder prose = new StringBuilder();
        Matcher token = TOKEN.matcher(source);
        int end = 0;
        while (token.find()) {
            prose.append(blank(source.substring(end, token.start())));
            prose.append(token.group());
            end = token.end();
        }
        return prose.toString();
    }

    private static List<String> hits(String ending, UnaryOperator<String> prose)
            throws IOException {
        List<String> hits = new ArrayList<>();
        for (Path file : files(ending)) {
            boolean test = file.toString().contains("/src/test/");
            if (file.endsWith("PlainWordsTest.java")) {
                continue;
            }
            String[] lines = prose.apply(Files.readString(file)).split("\n", -1);
            for (int i = 0; i < lines.length; i++) {
                String line = test ? withoutStrings(lines[i]) : lines[i];
                if (AVOIDED.matcher(line).find()) {
                    hits.add(ROOT.relativize(file) + ":" + (i + 1) + " " + line.strip());
                }
            }
        }
        return hits;
    }

    private static String withoutStrings(String line) {
        return line.replaceAll("\"(?:\\\\.|[^\"\\\\])*\"", "\"\"");
    }

    private static List<Path> files(String ending) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(
                ROOT,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        return SKIPPED.contains(folder.getFileName().toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.toString().endsWith(ending)) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return found.stream().sorted().toList();
    }
}

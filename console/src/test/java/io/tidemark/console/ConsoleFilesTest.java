package io.tidemark.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ConsoleFilesTest {
    private static final Pattern REFERENCE =
            Pattern.compile(
                    "(?:from ?['\"](?=\\.\\.?/)|(?:src|href)=\")([\\w./-]+\\.(?:js|css|svg))");

    private final ConsoleFiles files = ConsoleFiles.load();

    private String text(String name) {
        return new String(files.find(name).orElseThrow().content(), StandardCharsets.UTF_8);
    }

    @Test
    void everyReferencedFileIsServedAndEveryServedFileReferenced() {
        Set<String> referenced = new TreeSet<>();
        for (String name : files.names()) {
            Matcher reference = REFERENCE.matcher(text(name));
            while (reference.find()) {
                referenced.add(URI.create(name).resolve(reference.group(1)).toString());
            }
        }
        Set<String> served = new TreeSet<>(files.names());
        served.remove("index.html");
        assertThat(referenced).isEqualTo(served);
    }

    /** A style attribute or an inline script would not work under the policy of the node. */
    @Test
    void pagesNeedNothingElseAndNothingInline() {
        for (String name : files.names()) {
            if (!text(name).contains("@license")) {
                assertThat(text(name))
                        .as(name)
                        .doesNotContain("style=", "onclick=", "unsafe", "innerHTML", "eval(")
                        .doesNotContainPattern("https?://(?!www\\.w3\\.org/2000/svg)");
            }
        }
        assertThat(text("index.html")).doesNotContainPattern("<script(?![^>]*src=)");
    }

    @Test
    void onlyListedFilesAreFound() {
        assertThat(files.find("")).isEqualTo(files.find("index.html"));
        for (String name :
                new String[] {"/", "../app.js", "app.js/", "ConsoleFiles.class", "x.js"}) {
            assertThat(files.find(name)).as(name).isEmpty();
        }
    }

    @Test
    void isSmall() {
        int bytes = files.names().stream().mapToInt(name -> text(name).length()).sum();
        assertThat(bytes).isLessThan(200_000);
    }
}

package io.tidemark.standalone.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The printed commands are pasted into a shell. */
class SuggestionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "/data/tls/ca.crt        | /data/tls/ca.crt",
                "/my data/tls/ca.crt     | '/my data/tls/ca.crt'",
                "/it's data/$x/ca.crt    | '/it'\\''s data/$x/ca.crt'"
            })
    void quotesTheFileOfTheAuthority(String file, String word) {
        Optional<Path> authority = Optional.of(Path.of(file));
        String url = "https://127.0.0.1:8080";

        for (String commands :
                new String[] {
                    Suggestions.ofDemo(url, "/registry/", authority),
                    Suggestions.ofCluster(url, "/registry/", authority)
                }) {
            assertThat(commands)
                    .contains("--certificate-authority " + word + " --token none get pods -A\n")
                    .contains("curl --cacert " + word + " '" + url + "/");
        }
    }
}

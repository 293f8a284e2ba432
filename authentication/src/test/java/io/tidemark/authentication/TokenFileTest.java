package io.tidemark.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.authentication.Authentication.Known;
import io.tidemark.authentication.Authentication.None;
import io.tidemark.authorization.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {
    @TempDir private Path folder;

    private final AtomicLong nanos = new AtomicLong();

    private Path write(String content) throws IOException {
        Path file = folder.resolve("tokens.csv");
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private TokenFile open(String content) throws IOException {
        return new TokenFile(write(content), nanos::get);
    }

    private static Caller callerOf(TokenFile file, String token) {
        return ((Known) file.authenticate(token)).caller();
    }

    /** The cases of upstream's own test. */
    @ParameterizedTest
    @CsvSource({
        "token1, user1, uid1, ''",
        "token2, user2, uid2, ''",
        "token3, user3, uid3, group1 group2",
        "token4, user4, uid4, group2",
        "token5, user5, uid5, group5",
        "token6, user6, uid6, group5",
        "token7, user7, uid7, group1 group2",
    })
    void knowsTheUsersOfTheFile(String token, String user, String uid, String groups)
            throws Exception {
        TokenFile file =
                open(
                        """

                        token1,user1,uid1
                        token2,user2,uid2
                        token3,user3,uid3,"group1,group2"
                        token4,user4,uid4,"group2"
                        token5,user5,uid5,group5
                        token6,user6,uid6,group5,otherdata
                        token7,user7,uid7,"group1,group2",otherdata
                        """);
        List<String> expected = groups.isEmpty() ? List.of() : List.of(groups.split(" "));

        assertThat(file.authenticate(token))
                .isEqualTo(new Known(new Caller(user, uid, expected, Map.of()), Instant.MAX));
        assertThat(file.authenticate("token8")).isEqualTo(new None());
        assertThat(file.authenticate(token + " ")).isEqualTo(new None());
        assertThat(file.authenticate(TokenDigest.of(token).hex())).isEqualTo(new None());
    }

    @Test
    void readsQuotesBlanksLineEndsAndAByteOrderMark() throws Exception {
        TokenFile file =
                open(
                        "\uFEFFa,one,1\r\n\r\n\"b,\"\"x\",\"o'brien \"\"q\"\"\",\"\",\"\"\r\n"
                                + " c, two ,3,\" g ,,h\"\n\"d\",\"two\nlines\",4");

        assertThat(callerOf(file, "a").name()).isEqualTo("one");
        assertThat(callerOf(file, "b,\"x"))
                .isEqualTo(new Caller("o'brien \"q\"", "", List.of(), Map.of()));
        assertThat(callerOf(file, " c"))
                .isEqualTo(new Caller(" two ", "3", List.of(" g ", "h"), Map.of()));
        assertThat(callerOf(file, "d").name()).isEqualTo("two\nlines");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ok,u,1/sekret,user           | line 2 has 2 columns",
                "sekret                       | line 1 has 1 columns",
                "ok,u,1//,sekret,2            | line 3 has no token",
                "sekret,,2                    | line 1 has no user",
                "sekret,u,1/ok,v,2/sekret,w,3 | lines 1 and 3 have the same token",
                "ok,u,1/~sekret,u,2           | line 2 opens a quote",
                "sek~ret,u,2                  | line 1 has a quote inside",
                "~sekret~x,u,2                | line 1 has text after a closing quote",
                "~a/b~,u,1/sekret             | line 3 has 1 columns",
            })
    void refusesAnUnusableLineAndNamesItWithoutItsContent(String content, String why) {
        String csv = content.replace('/', '\n').replace('~', '"');
        assertThatThrownBy(() -> open(csv))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("tokens.csv")
                .hasMessageNotContaining("sekret");
    }

    @Test
    void refusesAFileThatOthersCanReadOrThatIsTooLong() throws Exception {
        Path file = write("a,u,1\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> new TokenFile(file)).hasMessageContaining("chmod 600");

        assertThatThrownBy(() -> open("a,u,1\n" + "\n".repeat(1 << 20)))
                .hasMessageContaining("above 1048576 bytes");
    }

    @Test
    void refusesWhatIsNotUtf8() throws Exception {
        Path file = write("");
        Files.write(file, "t\u00fc,u,1\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> new TokenFile(file)).hasMessageContaining("not UTF-8");
    }

    @Test
    void takesUpAChangedFileAndSaysSo() throws Exception {
        TokenFile file = open("a,u,1\n");
        AtomicInteger calls = new AtomicInteger();
        Runnable end = file.onChange(calls::incrementAndGet);
        long before = file.version();

        write("b,u,1\n");
        assertThat(file.authenticate("b")).isEqualTo(new None());
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        file.refresh();

        assertThat(file.version()).isGreaterThan(before);
        assertThat(calls).hasValue(1);
        assertThat(file.authenticate("a")).isEqualTo(new None());
        assertThat(callerOf(file, "b").name()).isEqualTo("u");

        end.run();
        write("c,u,1\n");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(callerOf(file, "c").name()).isEqualTo("u");
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,u", "a,u,1\n\"", ",u,1", "", "\n"})
    void keepsTheTokensWhileTheFileIsUnusable(String bad) throws Exception {
        TokenFile file = open("a,u,1\n");
        long before = file.version();

        write(bad);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        file.refresh();

        assertThat(callerOf(file, "a").name()).isEqualTo("u");
        assertThat(file.version()).isEqualTo(before);
    }

    /** Random files either parse, and then only by their own tokens, or are refused with a line. */
    @Test
    void survivesRandomContent() {
        String alphabet = "ab,,\"\n\r \uFEFF\u0000é";
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StringBuilder content = new StringBuilder();
            for (int i = random.nextInt(30); i > 0; i--) {
                content.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                TokenTable table =
                        TokenTable.parse(content.toString().getBytes(StandardCharsets.UTF_8));
                assertThat(table.callers().values())
                        .as("seed %d", seed)
                        .allSatisfy(caller -> assertThat(caller.name()).isNotEmpty());
                assertThat(table.callers()).doesNotContainKey(TokenDigest.of(""));
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).as("seed %d", seed).matches("lines? \\d.*");
            }
        }
    }
}

package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.standalone.screen.Failures;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DecodeCommandTest {
    /** A ConfigMap {@code a} with one entry: envelope, type, metadata, data. */
    private static final byte[] CONFIG_MAP =
            bytes("k8s\0", "\n\17\n\2v1\22\11ConfigMap", "\22\23\n\3\n\1a\22\14\n\4text\22\4a<ü");

    private static final String JSON =
            "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},"
                    + "\"data\":{\"text\":\"a\\u003cü\"}}\n";

    @TempDir private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    private static byte[] bytes(String... parts) {
        return String.join("", parts).getBytes(StandardCharsets.UTF_8);
    }

    private int run(byte[] input, String... arguments) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        return new CommandLine(new DecodeCommand(new ByteArrayInputStream(input), stream))
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler(
                        (exception, failed, _) -> Failures.report(exception, failed))
                .execute(arguments);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void printsTheJsonOfAProtobufValue() {
        assertThat(run(CONFIG_MAP)).isZero();
        assertThat(printed()).isEqualTo(JSON);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void ignoresTheLineFeedOfEtcdctl() {
        byte[] value = new byte[CONFIG_MAP.length + 1];
        System.arraycopy(CONFIG_MAP, 0, value, 0, CONFIG_MAP.length);
        value[CONFIG_MAP.length] = '\n';
        assertThat(run(value)).isZero();
        assertThat(printed()).isEqualTo(JSON);
    }

    @Test
    void readsBase64() {
        String text = Base64.getMimeEncoder(20, bytes("\r\n")).encodeToString(CONFIG_MAP) + "\n";
        assertThat(run(bytes(text), "--base64")).isZero();
        assertThat(printed()).isEqualTo(JSON);
    }

    @Test
    void readsAFile() throws Exception {
        Path file = Files.write(folder.resolve("value"), CONFIG_MAP);
        assertThat(run(new byte[0], "--file", file.toString())).isZero();
        assertThat(printed()).isEqualTo(JSON);
    }

    @Test
    void indentsWhenAsked() {
        byte[] value = bytes("{\"kind\":\"K\", \"a\":[1.0,{}, []],\"s\":\"x\\\"{,:\"}\n");
        assertThat(run(value, "--pretty")).isZero();
        assertThat(printed())
                .isEqualTo(
                        """
                        {
                          "kind": "K",
                          "a": [
                            1.0,
                            {},
                            []
                          ],
                          "s": "x\\"{,:"
                        }
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "k8s:enc:aescbc:v1:key1:abc | encrypted: encrypted at rest, by aescbc",
                "hello                      | not_protobuf: does not begin with k8s",
                "{\"kind\":                 | malformed: ",
                "''                         | the value is empty",
            })
    void refusesInOneLineWithCodeOne(String value, String why) {
        assertThat(run(bytes(value))).isEqualTo(1);
        assertOneLine(why);
    }

    @Test
    void refusesATruncatedValue() {
        assertThat(run(Arrays.copyOf(CONFIG_MAP, CONFIG_MAP.length - 1))).isEqualTo(1);
        assertOneLine("malformed: ");
    }

    @Test
    void namesAnUnknownKind() {
        assertThat(run(bytes("k8s\0", "\n\11\n\2v9\22\3Pod", "\22\0"))).isEqualTo(1);
        assertOneLine("unknown_kind: no table for Pod of v9");
    }

    @Test
    void reportsInvalidInput() {
        assertThat(run(bytes("***"), "--base64")).isEqualTo(1);
        assertOneLine("not base64");
        err.getBuffer().setLength(0);
        assertThat(run(new byte[0], "--file", "/no/such/file")).isEqualTo(1);
        assertOneLine("cannot read /no/such/file");
    }

    private void assertOneLine(String why) {
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("decode: ").contains(why);
        assertThat(printed()).isEmpty();
    }
}

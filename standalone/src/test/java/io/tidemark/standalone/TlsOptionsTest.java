package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.credentials.ServerTls;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.standalone.up.UpCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class TlsOptionsTest {
    @TempDir private Path folder;

    private final StringWriter err = new StringWriter();
    private TestCertificates certificates;

    @BeforeEach
    void makeCertificates() throws Exception {
        certificates = new TestCertificates(folder);
        Files.writeString(folder.resolve("empty"), "");
        Files.writeString(folder.resolve("open.key"), Files.readString(certificates.keyFile()));
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.copy(new TestCertificates(other).keyFile(), folder.resolve("other.key"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--tls-cert tls.crt                              | --tls-cert needs --tls-key",
                "--tls-key tls.key                               | --tls-key needs --tls-cert",
                "--tls selfsigned                                | must be 'self-signed'",
                "--tls self-signed --tls-cert tls.crt            | not both",
                "--client-ca ca.crt                              | --client-ca needs TLS",
                "--tls-cert none --tls-key tls.key               | no such file",
                "--tls-cert tls.crt --tls-key none               | no such file",
                "--tls-cert empty --tls-key tls.key              | no certificate",
                "--tls-cert tls.crt --tls-key tls.crt            | by others; run: chmod 600",
                "--tls-cert tls.crt --tls-key open.key           | by others; run: chmod 600",
                "--tls-cert tls.crt --tls-key other.key          | does not belong to",
                "--tls-cert tls.crt --tls-key tls.key --client-ca none  | no such file",
                "--tls-cert tls.crt --tls-key tls.key --client-ca empty | no certificate",
                "--tls-cert tls.crt --tls-key tls.key --listen 0.0.0.0:1 | needs a login",
                "--tls self-signed --listen 0.0.0.0:1            | needs a login",
            })
    void refusesWhatCannotBeUsed(String arguments, String why) {
        String inFolder =
                arguments.replaceAll(
                        " (?=(none|empty|[a-z]+\\.(crt|key))( |$))", " " + folder + "/");
        int code =
                TidemarkCli.run(
                        Map.of(),
                        new PrintWriter(err, true),
                        ("up --data " + folder.resolve("data") + " " + inFolder.strip())
                                .split(" +"));
        assertThat(err.toString()).contains(why.strip());
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(code).isEqualTo(2);
    }

    @Test
    void makesATrialCertificateOnce() throws Exception {
        Path data = folder.resolve("data");
        ServerTls first = selfSigned(data);
        Path key = data.resolve("tls/tls.key");
        byte[] made = Files.readAllBytes(key);

        assertThat(selfSigned(data)).isEqualTo(first);
        assertThat(Files.readAllBytes(key)).isEqualTo(made);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                .isEqualTo("rwx------");
        assertThat(Files.readString(data.resolve("tls/ca.crt"))).contains("BEGIN CERTIFICATE");
    }

    private static ServerTls selfSigned(Path data) {
        UpCommand up = new UpCommand();
        new CommandLine(up).parseArgs("--tls", "self-signed", "--data", data.toString());
        return up.query().tls().orElseThrow();
    }
}

package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TidemarkCliTest {
    @TempDir Path directory;

    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "frobnicate                                            | frobnicate",
                "up --lisen 127.0.0.1:1                                | --lisen",
                "up --listen 8080                                      | HOST:PORT",
                "up --listen 127.0.0.1:99999                           | 99999",
                "up --partitions many                                  | --partitions",
                "up --partitions 0                                     | partitions",
                "up --history yesterday                                | 6h",
                "up --history 0s                                       | history",
                "up --etcd 127.0.0.1:2379                              | http://",
                "up --etcd-user me                                     | --etcd URL",
                "up --demo --etcd http://127.0.0.1:2379                | --demo",
                "up --demo-rate 0                                      | --demo-rate",
                "up --etcd-port 1 --etcd http://127.0.0.1:2379         | --etcd-port",
                "up --kafka-config f                                   | --kafka HOST:PORT",
                "up --kafka nowhere                                    | --kafka",
                "up --cache-bytes 5                                    | MiB",
                "up --kubernetes-version 1.36                          | --kubernetes-version",
                "up --runtime-config api/gamma=true                    | --runtime-config: there is"
                        + " no 'api/gamma'",
                "up --config /no/such/file                             | /no/such/file",
                "connector --kafka 127.0.0.1:9092                      | --etcd",
                "connector --etcd http://127.0.0.1:2379                | --kafka",
                "connector --etcd http://a:1 --etcd-ca c --kafka b:2   | https",
                "node --kafka b:2 --peer-listen 127.0.0.1:3            | --peer-secret",
                "node --kafka b:2                                      | --peer-secret-file",
                "connector --etcd http://a:1 --kafka b:2               | umask 077",
                "connector --etcd http://a:1 --kafka b:2 --peer-secret x | 16",
                "node --kafka b:2 --peer-secret-file /no/such/file     | /no/such/file",
                "connector --etcd http://a:1 --kafka b:2 --backfill -1 | backfill",
                "connector --etcd http://a:1 --kafka b:2 --on-gap ignore | on-gap",
                "connector --etcd http://a:1 --kafka b:2 --redact pods=x | --redact: malformed path"
                        + " 'x'",
                "up --redact configmap=.data                           | unknown resource"
                        + " 'configmap'",
                "doctor --redact pods=.spec['x                          | without its end",
                "up --redact pods=.metadata.name                       | cannot be redacted",
                "node                                                  | --kafka",
                "node --kafka b:2 --standbys -1                        | standbys",
                "node --kafka b:2 --kafka-config /no/such/file         | /no/such/file",
                "broker --listen 0.0.0.0:9092                          | --advertise",
                "up --allowed-host node:8080                           | --allowed-host",
                "up --max-connections 0                                | --max-connections",
                "up --max-connections 2147483647                       | files open",
                "up --max-connections-per-client 0                     |"
                        + " --max-connections-per-client",
            })
    void usageErrorIsOneLineWithCodeTwo(String arguments, String named) {
        int code = run(Map.of(), arguments.strip().split(" +"));

        assertThat(err.toString()).contains(named).endsWith(" --help" + System.lineSeparator());
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(code).isEqualTo(2);
    }

    @Test
    void namesTheOptionOfATakenPort() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            // The same port of another address is free.
            String free = "127.0.0.2:" + taken.getLocalPort();

            assertThat(nodeAt(free, address, secret)).isEqualTo(2);
            assertThat(err.toString()).contains("--peer-listen: cannot listen on " + address);

            err.getBuffer().setLength(0);
            assertThat(nodeAt(address, free, secret)).isEqualTo(2);
            assertThat(err.toString()).contains(" --listen: cannot listen on " + address);
        }
    }

    private int nodeAt(String listen, String peerListen, Path secret) {
        return run(
                Map.of(),
                "node",
                "--kafka=127.0.0.1:1",
                "--listen=" + listen,
                "--peer-listen=" + peerListen,
                "--peer-secret-file=" + secret,
                "--data=" + directory.resolve("data"));
    }

    @Test
    void missingCommandListsTheCommands() {
        int code = run(Map.of());

        assertThat(err.toString()).contains("up, connector, node, broker, doctor");
        assertThat(code).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"up", "connector", "doctor"})
    void refusesAPasswordOverPlainHttp(String command) {
        Map<String, String> environment = Map.of("TIDEMARK_ETCD_PASSWORD", "s3cret");

        int code =
                run(
                        environment,
                        command,
                        "--etcd=https://127.0.0.1:1,http://127.0.0.1:2",
                        "--etcd-user=me");

        assertThat(err.toString())
                .contains("not sent over plain http, as to http://127.0.0.1:2")
                .doesNotContain("s3cret");
        assertThat(code).isEqualTo(2);
    }

    @Test
    void errorNamesTheVariable() {
        int code = run(Map.of("TIDEMARK_PARTITIONS", "many"), "up");

        assertThat(err.toString()).contains("--partitions").contains("from TIDEMARK_PARTITIONS");
        assertThat(code).isEqualTo(2);
    }

    @Test
    void errorNamesTheFile() throws Exception {
        Path file = Files.writeString(directory.resolve("t.properties"), "history=soon\n");

        int code = run(Map.of(), "up", "--config", file.toString());

        assertThat(err.toString()).contains("--history").contains("from " + file);
        assertThat(code).isEqualTo(2);
    }

    @Test
    void refusesAnUnknownEntry() throws Exception {
        Path file = Files.writeString(directory.resolve("t.properties"), "partitoins=3\n");

        int code = run(Map.of("TIDEMARK_CONFIG", file.toString()), "up");

        assertThat(err.toString()).contains("'partitoins'").contains(file.toString());
        assertThat(code).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0123456789abcdef    | node --kafka b:2 --peer-secret-file",
                "peer-secret=abc     | up --config",
                "etcd-password=abc   | up --config",
                "ssl.key.password=ab | up --kafka b:1 --kafka-config",
                "password            | up --etcd http://a:1 --etcd-user me --etcd-password-file",
                "key                 | up --etcd https://a:1 --etcd-cert c --etcd-key",
            })
    void refusesASecretFileThatOthersCanRead(String text, String arguments) throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), text + "\n");
        for (String open : new String[] {"rw-r-----", "rw----r--", "rw-rw-rw-"}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(open));
            StringWriter said = new StringWriter();
            int code =
                    TidemarkCli.run(
                            Map.of(),
                            new PrintWriter(said, true),
                            (arguments.strip() + " " + file).split(" +"));

            assertThat(said.toString()).contains("by others; run: chmod 600 " + file);
            assertThat(said.toString().lines()).hasSize(1);
            assertThat(code).isEqualTo(2);
        }
    }

    @Test
    void warnsOfAnUnknownVariable() {
        run(Map.of("TIDEMARK_PARTITOINS", "3", "TIDEMARK_LOG", "info"), "up", "--listen", "x");

        assertThat(err.toString()).contains("no option for TIDEMARK_PARTITOINS");
        assertThat(err.toString()).doesNotContain("TIDEMARK_LOG");
    }

    @Test
    void ignoresServiceVariablesOfAnOrchestrator() {
        Map<String, String> environment =
                Map.of(
                        "TIDEMARK_SERVICE_HOST", "10.0.0.1",
                        "TIDEMARK_PORT", "tcp://10.0.0.1:8080",
                        "TIDEMARK_PORT_8080_TCP_ADDR", "10.0.0.1");

        run(environment, "up", "--listen", "x");

        assertThat(err.toString()).doesNotContain("no option for");
    }

    private int run(Map<String, String> environment, String... arguments) {
        return TidemarkCli.run(environment, new PrintWriter(err, true), arguments);
    }
}

package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.harness.Api;
import io.tidemark.harness.Certificates;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An etcd with users, and Tidemark as the user of docs/real-cluster.md, who may read only the
 * prefix. The commands are those of that page.
 */
@LongTest
class ReadOnlyUserIT {
    /** In seconds: the user's token ends several times while the test runs. */
    private static final int TOKEN_LIFE = 5;

    @TempDir private Path folder;

    @Test
    void readPermissionOnThePrefixIsEnough() throws Exception {
        EtcdBinary binary = EtcdBinary.find();
        Certificates files = Certificates.make(folder.resolve("certificates"));
        int plainPort = Ports.pickFree("127.0.0.1");
        String plain = "http://127.0.0.1:" + plainPort;
        String secure = "https://127.0.0.1:" + Ports.pickFree("127.0.0.1");
        EtcdSettings settings =
                EtcdSettings.in(folder.resolve("outside"))
                        .withClientPort(plainPort)
                        .withFlags(
                                "--unsafe-no-fsync",
                                "--auth-token-ttl=" + TOKEN_LIFE,
                                "--listen-client-urls=" + plain + "," + secure,
                                "--advertise-client-urls=" + secure,
                                "--cert-file=" + files.file("server.pem"),
                                "--key-file=" + files.file("server.key"));
        try (EtcdProcess etcd = EtcdProcess.start(binary, settings)) {
            Path etcdctl = binary.etcdctl().orElseThrow();
            addUsers(etcdctl, etcd.endpoint());
            EtcdOptions asRoot =
                    EtcdOptions.of(secure)
                            .withTls(files.file("ca.pem"), null, null)
                            .withUser("root", "rootpass");
            Path password = Files.writeString(folder.resolve("password"), "secret\n");
            Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
            try (EtcdClient root = new EtcdClient(asRoot)) {
                root.put(Bytes.utf8("/registry/secrets/ns/s"), Bytes.utf8("k8s:enc:x:v1:k:"));
                put(root, "compacted", 0);
                root.compact(put(root, "listed", 0), true);
                String[] login = {
                    "--etcd-ca",
                    files.file("ca.pem").toString(),
                    "--etcd-user",
                    "tidemark",
                    "--etcd-password-file",
                    password.toString()
                };
                try (TidemarkProcess tidemark =
                        TidemarkProcess.up(folder.resolve("data"), secure, login)) {
                    assertMirrors(root, tidemark.api(), 3 * TOKEN_LIFE);
                    assertHasNoSecrets(tidemark.api());
                }
                put(root, "while-away", 0);
                try (TidemarkProcess tidemark =
                        TidemarkProcess.up(folder.resolve("data"), secure, login)) {
                    assertMirrors(root, tidemark.api(), TOKEN_LIFE + 1);
                }
            }
        }
    }

    private static void addUsers(Path etcdctl, String endpoint) throws Exception {
        for (String command :
                List.of(
                        "role add tidemark",
                        "role grant-permission tidemark read --prefix=true /registry/",
                        "user add tidemark:secret",
                        "user grant-role tidemark tidemark",
                        "user add root:rootpass",
                        "user grant-role root root",
                        "auth enable")) {
            List<String> line = new ArrayList<>(List.of(etcdctl.toString()));
            line.add("--endpoints=" + endpoint);
            line.addAll(Arrays.asList(command.split(" ")));
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).as(command).isTrue();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.exitValue()).as(command + ": " + output).isZero();
        }
    }

    private static long put(EtcdClient client, String name, int value) {
        return client.put(
                TestEtcd.configMapKey("ns", name),
                Bytes.utf8(TestEtcd.configMap("ns", name, "value-" + value)));
    }

    /** They were not requested: not an empty list, but no such resource. */
    private static void assertHasNoSecrets(Api api) throws Exception {
        assertThat(api.get("/api/v1/secrets").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/namespaces/ns/secrets/s").status()).isEqualTo(404);
        assertThat(api.get("/api/v1").json().path("resources").findValuesAsText("name"))
                .contains("pods")
                .doesNotContain("secrets");
        assertThat(api.get("/kv/registry/secrets/?prefix=true").status()).isEqualTo(404);
    }

    /** List, barrier, progress and watch, for longer than a token lives. */
    private static void assertMirrors(EtcdClient root, Api api, int seconds) throws Exception {
        String path = "/api/v1/namespaces/ns/configmaps";
        String from = Api.resourceVersion(api.list(path));
        List<Long> written = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try (Api.WatchStream watch =
                api.watch(path + "?watch=true&timeoutSeconds=600&resourceVersion=" + from)) {
            for (int i = 0; System.nanoTime() < end; i++) {
                long revision = put(root, "live", i);
                written.add(revision);
                JsonNode list = api.list(path);
                assertThat(Long.parseLong(Api.resourceVersion(list)))
                        .isGreaterThanOrEqualTo(revision);
                assertThat(list.findValuesAsText("value")).contains("value-" + i);
                JsonNode event = watch.next();
                assertThat(event.at("/object/metadata/resourceVersion").asLong())
                        .isEqualTo(revision);
            }
        }
        assertThat(written).isNotEmpty();
        // A write that the user may not read: the revision advances, and etcd sends progress all
        // the same.
        root.put(Bytes.utf8("/elsewhere"), Bytes.utf8("x"));
        long now = root.put(Bytes.utf8("compact_rev_key"), Bytes.utf8("x"));
        assertThat(Long.parseLong(Api.resourceVersion(api.list(path)))).isGreaterThanOrEqualTo(now);
    }
}

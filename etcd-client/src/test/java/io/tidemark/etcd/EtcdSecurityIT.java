package io.tidemark.etcd;

import static io.tidemark.etcd.EtcdClientIT.assertKind;
import static io.tidemark.etcd.TestEtcd.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.etcd.rpc.Rpc;
import io.tidemark.local.EtcdSettings;
import io.tidemark.local.Ports;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdSecurityIT {
    @TempDir Path folder;

    @Test
    void usersReadWhatTheirRolesAllow() throws Exception {
        try (TestEtcd etcd = TestEtcd.start(folder)) {
            setUpUsers(etcd);
            assertKind(EtcdException.Kind.AUTH, () -> etcd.client().get(utf8("/mine/a")));
            assertKind(
                    EtcdException.Kind.AUTH,
                    () -> etcd.client().watch(WatchRequest.prefix(utf8("/mine/"), 0)));
            try (EtcdClient wrong = new EtcdClient(etcd.options().withUser("mirror", "wrong"))) {
                assertKind(EtcdException.Kind.AUTH, () -> wrong.get(utf8("/mine/a")));
                assertKind(
                        EtcdException.Kind.AUTH,
                        () -> wrong.watch(WatchRequest.prefix(utf8("/mine/"), 0)));
            }
            try (EtcdClient reader = new EtcdClient(etcd.options().withUser("mirror", "pass"))) {
                assertThat(reader.get(utf8("/mine/a"))).isPresent();
                assertThat(reader.revision(utf8("/mine/"))).isPositive();
                assertThat(reader.compactRevision(utf8("/mine/"))).isZero();
                assertKind(EtcdException.Kind.AUTH, () -> reader.get(utf8("/other")));
                assertKind(EtcdException.Kind.AUTH, () -> reader.put(utf8("/mine/a"), utf8("2")));
                assertKind(
                        EtcdException.Kind.AUTH,
                        () -> reader.watch(WatchRequest.prefix(utf8("/other/"), 0)));
            }
        }
    }

    @Test
    void aTokenThatEtcdNoLongerKnowsIsReplaced() throws Exception {
        EtcdSettings settings =
                EtcdSettings.forTests(folder).withClientPort(Ports.pickFree("127.0.0.1"));
        EtcdClient forCalls;
        EtcdClient forWatches;
        try (TestEtcd etcd = TestEtcd.start(settings)) {
            setUpUsers(etcd);
            forCalls = new EtcdClient(etcd.options().withUser("mirror", "pass"));
            forWatches = new EtcdClient(etcd.options().withUser("mirror", "pass"));
            assertThat(forCalls.get(utf8("/mine/a"))).isPresent();
            assertThat(forWatches.get(utf8("/mine/a"))).isPresent();
        }
        // A lone etcd forgets its tokens when it restarts.
        try (TestEtcd _ = TestEtcd.start(settings);
                forCalls;
                forWatches) {
            assertThat(forCalls.get(utf8("/mine/a"))).isPresent();
            try (EtcdWatch watch = forWatches.watch(WatchRequest.prefix(utf8("/mine/"), 1))) {
                assertThat(TestEtcd.changes(watch, 1)).hasSize(1);
            }
        }
    }

    private static void setUpUsers(TestEtcd etcd) {
        etcd.client().put(utf8("/mine/a"), utf8("1"));
        try (EtcdCalls calls = new EtcdCalls(etcd.options())) {
            EtcdUsers users = new EtcdUsers(calls);
            users.addRole("root");
            users.addUser("root", "secret", "root");
            users.addRole("reader");
            users.allow("reader", Rpc.Permission.Type.READ, utf8("/mine/"));
            users.addUser("mirror", "pass", "reader");
            users.enable();
        }
    }

    @Test
    void userAndPasswordAreNoHarmWhereEtcdHasNoUsers() throws Exception {
        try (TestEtcd etcd = TestEtcd.start(folder);
                EtcdClient client = new EtcdClient(etcd.options().withUser("somebody", "secret"))) {
            client.put(utf8("a"), utf8("1"));
            assertThat(client.get(utf8("a"))).isPresent();
        }
    }

    @Test
    void certificatesAreCheckedOnBothSides() throws Exception {
        TestCertificates files = new TestCertificates(folder.resolve("certificates"));
        int plainPort = Ports.pickFree("127.0.0.1");
        String plain = "http://127.0.0.1:" + plainPort;
        String secure = "https://127.0.0.1:" + Ports.pickFree("127.0.0.1");
        EtcdSettings settings =
                EtcdSettings.forTests(folder.resolve("etcd"))
                        .withClientPort(plainPort)
                        .withFlags(
                                "--unsafe-no-fsync",
                                "--listen-client-urls=" + plain + "," + secure,
                                "--advertise-client-urls=" + secure,
                                "--cert-file=" + files.file("server.pem"),
                                "--key-file=" + files.file("server.key"),
                                "--trusted-ca-file=" + files.file("ca.pem"),
                                "--client-cert-auth");
        EtcdOptions options = EtcdOptions.of(secure);
        try (TestEtcd _ = TestEtcd.start(settings)) {
            try (EtcdClient client =
                    new EtcdClient(
                            options.withTls(
                                    files.file("ca.pem"),
                                    files.file("client.pem"),
                                    files.file("client.key")))) {
                client.put(utf8("a"), utf8("1"));
                try (EtcdWatch watch = client.watch(WatchRequest.prefix(utf8("a"), 1))) {
                    assertThat(TestEtcd.changes(watch, 1)).hasSize(1);
                }
            }
            try (EtcdClient nameless =
                    new EtcdClient(options.withTls(files.file("ca.pem"), null, null))) {
                assertThatThrownBy(() -> nameless.get(utf8("a"))).isInstanceOf(EtcdException.class);
            }
            try (EtcdClient trustless = new EtcdClient(options)) {
                assertKind(EtcdException.Kind.AUTH, () -> trustless.get(utf8("a")));
            }
        }
    }

    @Test
    void privateKeysAreReadInTheFormsThatToolsWrite() throws Exception {
        TestCertificates files = new TestCertificates(folder);
        files.run("rsa -in client.key -traditional -out pkcs1.key");
        PrivateKey pkcs8 = PemFiles.privateKey(files.file("client.key"));
        assertThat(PemFiles.privateKey(files.file("pkcs1.key"))).isEqualTo(pkcs8);

        files.run("ecparam -name prime256v1 -genkey -out sec1.key");
        files.run("pkcs8 -topk8 -nocrypt -in sec1.key -out ec.key");
        assertThat(secret(files.file("sec1.key"))).isEqualTo(secret(files.file("ec.key")));

        files.run("pkcs8 -topk8 -passout pass:x -in client.key -out locked.key");
        assertThatThrownBy(() -> PemFiles.privateKey(files.file("locked.key")))
                .hasMessageContaining("passphrase");
        assertThatThrownBy(() -> PemFiles.privateKey(files.file("ca.pem")))
                .hasMessageContaining("no PEM private key");
    }

    private static BigInteger secret(Path file) throws Exception {
        return ((ECPrivateKey) PemFiles.privateKey(file)).getS();
    }
}

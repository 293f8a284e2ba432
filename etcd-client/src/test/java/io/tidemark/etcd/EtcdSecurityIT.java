package io.tidemark.etcd;

import static io.tidemark.etcd.EtcdClientIT.assertKind;
import static io.tidemark.etcd.TestEtcd.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.etcd.connection.EtcdCalls;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.etcd.rpc.Rpc;
import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdSecurityIT {
    @TempDir Path folder;

    private String secure;

    private EtcdSettings tls(TestCertificates files, String... flags) throws Exception {
        secure = "https://127.0.0.1:" + Ports.pickFree("127.0.0.1");
        return files.settings(folder.resolve("etcd"), secure, flags);
    }

    private EtcdClient as(TestCertificates files, String user, String password) {
        return new EtcdClient(
                EtcdOptions.of(secure)
                        .withTls(files.file("ca.pem"), null, null)
                        .withUser(user, password)
                        .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30)));
    }

    @Test
    void usersReadOnlyWhatTheirRolesAllow() throws Exception {
        TestCertificates files = TestCertificates.make(folder.resolve("certificates"));
        try (TestEtcd etcd = TestEtcd.start(tls(files))) {
            setUpUsers(etcd);
            assertKind(EtcdException.Kind.AUTH, () -> etcd.client().get(utf8("/mine/a")));
            assertKind(
                    EtcdException.Kind.AUTH,
                    () -> etcd.client().watch(WatchRequest.prefix(utf8("/mine/"), 0)));
            try (EtcdClient wrong = as(files, "mirror", "wrong")) {
                assertKind(EtcdException.Kind.AUTH, () -> wrong.get(utf8("/mine/a")));
                assertKind(
                        EtcdException.Kind.AUTH,
                        () -> wrong.watch(WatchRequest.prefix(utf8("/mine/"), 0)));
            }
            try (EtcdClient reader = as(files, "mirror", "pass")) {
                assertThat(reader.get(utf8("/mine/a"))).isPresent();
                assertThat(reader.revision(utf8("/mine/"))).isPositive();
                assertThat(reader.compactRevision(utf8("/mine/"))).isZero();
                assertThat(EtcdVersion.progressSupport(reader.versions()))
                        .isEqualTo(ProgressSupport.MANUAL);
                assertKind(EtcdException.Kind.AUTH, () -> reader.get(utf8("/other")));
                assertKind(EtcdException.Kind.AUTH, () -> reader.put(utf8("/mine/a"), utf8("2")));
                assertKind(
                        EtcdException.Kind.AUTH,
                        () -> reader.watch(WatchRequest.prefix(utf8("/other/"), 0)));
            }
        }
    }

    @Test
    void replacesATokenThatEtcdLost() throws Exception {
        TestCertificates files = TestCertificates.make(folder.resolve("certificates"));
        EtcdSettings settings = tls(files);
        EtcdClient forCalls;
        EtcdClient forWatches;
        try (TestEtcd etcd = TestEtcd.start(settings)) {
            setUpUsers(etcd);
            forCalls = as(files, "mirror", "pass");
            forWatches = as(files, "mirror", "pass");
            assertThat(forCalls.get(utf8("/mine/a"))).isPresent();
            assertThat(forWatches.get(utf8("/mine/a"))).isPresent();
        }
        // A single-member etcd loses its tokens when it restarts.
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
    void acceptsUserAndPasswordWhenEtcdHasAuthDisabled() throws Exception {
        TestCertificates files = TestCertificates.make(folder.resolve("certificates"));
        try (TestEtcd _ = TestEtcd.start(tls(files));
                EtcdClient client = as(files, "user", "secret")) {
            client.put(utf8("a"), utf8("1"));
            assertThat(client.get(utf8("a"))).isPresent();
        }
    }

    @Test
    void requestsATokenWhenEtcdEnablesAuth() throws Exception {
        TestCertificates files = TestCertificates.make(folder.resolve("certificates"));
        try (TestEtcd etcd = TestEtcd.start(tls(files));
                EtcdClient forCalls = as(files, "mirror", "pass");
                EtcdClient forWatches = as(files, "mirror", "pass")) {
            assertThat(forCalls.get(utf8("/mine/a"))).isEmpty();
            assertThat(forWatches.get(utf8("/mine/a"))).isEmpty();

            setUpUsers(etcd);

            assertThat(forCalls.get(utf8("/mine/a"))).isPresent();
            try (EtcdWatch watch = forWatches.watch(WatchRequest.prefix(utf8("/mine/"), 1))) {
                assertThat(TestEtcd.changes(watch, 1)).hasSize(1);
            }
        }
    }

    @Test
    void bothSidesVerifyCertificates() throws Exception {
        TestCertificates files = TestCertificates.make(folder.resolve("certificates"));
        EtcdSettings settings = tls(files, files.requireClients());
        EtcdOptions options = EtcdOptions.of(secure);
        try (TestEtcd _ = TestEtcd.start(settings)) {
            try (EtcdClient client = new EtcdClient(files.client(secure))) {
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
    void rejectsAServerCertificateForAnotherName() throws Exception {
        TestCertificates files =
                TestCertificates.make(folder.resolve("certificates"), "DNS:elsewhere");
        EtcdSettings settings = tls(files);
        EtcdOptions options = EtcdOptions.of(secure);
        try (TestEtcd _ = TestEtcd.start(settings);
                EtcdClient client =
                        new EtcdClient(options.withTls(files.file("ca.pem"), null, null))) {
            assertKind(EtcdException.Kind.AUTH, () -> client.get(utf8("a")));
        }
    }

    /** As Kubernetes updates a mounted Secret: a symbolic link is moved to another folder. */
    @Test
    void reloadsChangedCertificates() throws Exception {
        Path mounted = folder.resolve("mounted");
        TestCertificates first = TestCertificates.make(folder.resolve("first"));
        TestCertificates second = TestCertificates.make(folder.resolve("second"));
        Files.createSymbolicLink(mounted, first.file(""));
        TestCertificates files = new TestCertificates(mounted);
        EtcdSettings settings = tls(files, files.requireClients());
        try (EtcdClient client = new EtcdClient(files.client(secure))) {
            try (TestEtcd _ = TestEtcd.start(settings);
                    EtcdWatch watch = client.watch(WatchRequest.prefix(utf8("a"), 1))) {
                client.put(utf8("a"), utf8("1"));
                assertThat(TestEtcd.changes(watch, 1)).hasSize(1);
                move(mounted, second.file(""));
                client.put(utf8("a"), utf8("2"));
                assertThat(TestEtcd.changes(watch, 1)).as("the open watch continues").hasSize(1);
            }
            try (TestEtcd _ = TestEtcd.start(settings)) {
                await().ignoreExceptionsInstanceOf(EtcdException.class)
                        .until(() -> client.get(utf8("a")).isPresent());
                try (EtcdWatch watch = client.watch(WatchRequest.prefix(utf8("a"), 1))) {
                    assertThat(TestEtcd.changes(watch, 2)).hasSize(2);
                }
            }
        }
    }

    private static void move(Path link, Path target) throws Exception {
        Path next = Files.createSymbolicLink(link.resolveSibling("next"), target);
        Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
    }
}

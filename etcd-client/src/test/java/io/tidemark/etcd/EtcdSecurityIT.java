package io.tidemark.etcd;

import static io.tidemark.etcd.EtcdClientIT.assertKind;
import static io.tidemark.etcd.TestEtcd.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.tidemark.etcd.rpc.Rpc;
import io.tidemark.local.EtcdSettings;
import io.tidemark.local.Ports;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdSecurityIT {
    @TempDir Path folder;

    private String secure;

    /** An etcd at {@link #secure}, and at a plain URL for clients without a password. */
    private EtcdSettings tls(TestCertificates files, String... flags) throws Exception {
        int plain = Ports.pickFree("127.0.0.1");
        secure = "https://127.0.0.1:" + Ports.pickFree("127.0.0.1");
        List<String> all = new ArrayList<>();
        all.addAll(List.of(files.flags("http://127.0.0.1:" + plain, secure)));
        all.addAll(List.of(flags));
        return EtcdSettings.in(folder.resolve("etcd"))
                .withClientPort(plain)
                .withFlags(all.toArray(String[]::new));
    }

    private EtcdClient as(TestCertificates files, String user, String password) {
        return new EtcdClient(
                EtcdOptions.of(secure)
                        .withTls(files.file("ca.pem"), null, null)
                        .withUser(user, password));
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
    void bothSidesVerifyCertificates() throws Exception {
        TestCertificates files = TestCertificates.make(folder.resolve("certificates"));
        EtcdSettings settings = tls(files, clientsNeed(files));
        EtcdOptions options = EtcdOptions.of(secure);
        try (TestEtcd _ = TestEtcd.start(settings)) {
            try (EtcdClient client = new EtcdClient(withAll(options, files))) {
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

    private static String[] clientsNeed(TestCertificates files) {
        return new String[] {"--trusted-ca-file=" + files.file("ca.pem"), "--client-cert-auth"};
    }

    private static EtcdOptions withAll(EtcdOptions options, TestCertificates files) {
        return options.withTls(
                files.file("ca.pem"), files.file("client.pem"), files.file("client.key"));
    }

    /** As Kubernetes updates a mounted Secret: a symbolic link is moved to another folder. */
    @Test
    void reloadsChangedCertificates() throws Exception {
        Path mounted = folder.resolve("mounted");
        TestCertificates first = TestCertificates.make(folder.resolve("first"));
        TestCertificates second = TestCertificates.make(folder.resolve("second"));
        Files.createSymbolicLink(mounted, first.file(""));
        TestCertificates files = new TestCertificates(mounted);
        EtcdSettings settings = tls(files, clientsNeed(files));
        try (EtcdClient client = new EtcdClient(withAll(EtcdOptions.of(secure), files))) {
            try (TestEtcd _ = TestEtcd.start(settings);
                    EtcdWatch watch = client.watch(WatchRequest.prefix(utf8("a"), 1))) {
                client.put(utf8("a"), utf8("1"));
                assertThat(TestEtcd.changes(watch, 1)).hasSize(1);
                move(mounted, second.file(""));
                client.put(utf8("a"), utf8("2"));
                assertThat(TestEtcd.changes(watch, 1)).as("the open watch continues").hasSize(1);
            }
            try (TestEtcd _ = TestEtcd.start(settings)) {
                await().atMost(TestEtcd.PATIENCE)
                        .ignoreExceptionsInstanceOf(EtcdException.class)
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

    /** Two files cannot be replaced atomically. */
    @Test
    void reloadsACertificateOnlyWithItsKey() throws Exception {
        TestCertificates used = TestCertificates.make(folder.resolve("used"));
        TestCertificates other = TestCertificates.make(folder.resolve("other"));
        EtcdSettings settings = tls(used, clientsNeed(used));
        try (TestEtcd _ = TestEtcd.start(settings)) {
            AtomicLong nanos = new AtomicLong();
            TlsFiles files = new TlsFiles(withAll(EtcdOptions.of(secure), used), nanos::get);
            Files.copy(
                    other.file("client.pem"),
                    used.file("client.pem"),
                    StandardCopyOption.REPLACE_EXISTING);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            files.refresh();
            assertThat(revision(files)).isPositive();

            Files.copy(
                    other.file("client.key"),
                    used.file("client.key"),
                    StandardCopyOption.REPLACE_EXISTING);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            files.refresh();
            assertThatThrownBy(() -> revision(files))
                    .as("of another authority")
                    .isInstanceOf(StatusRuntimeException.class);
        }
    }

    /** Uses a new connection. */
    private long revision(TlsFiles files) {
        ManagedChannel channel =
                NettyChannelBuilder.forTarget(secure.replace("https://", "dns:///"))
                        .sslContext(files.context())
                        .build();
        try {
            return ClientCalls.blockingUnaryCall(
                            channel,
                            EtcdMethods.STATUS,
                            CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS),
                            Rpc.StatusRequest.getDefaultInstance())
                    .getHeader()
                    .getRevision();
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void readsPkcs8Pkcs1AndSec1Keys() throws Exception {
        TestCertificates files = TestCertificates.make(folder);
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

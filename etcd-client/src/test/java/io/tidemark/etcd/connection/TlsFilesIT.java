package io.tidemark.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.tidemark.etcd.TestCertificates;
import io.tidemark.etcd.rpc.Rpc;
import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsFilesIT {
    @TempDir Path folder;

    /** Two files cannot be replaced atomically. */
    @Test
    void reloadsACertificateOnlyWithItsKey() throws Exception {
        TestCertificates used = TestCertificates.make(folder.resolve("used"));
        TestCertificates other = TestCertificates.make(folder.resolve("other"));
        String secure = "https://127.0.0.1:" + Ports.pickFree("127.0.0.1");
        EtcdSettings settings =
                used.settings(folder.resolve("etcd"), secure, used.requireClients());
        try (EtcdProcess _ = EtcdProcess.start(EtcdBinary.find(), settings)) {
            AtomicLong nanos = new AtomicLong();
            TlsFiles files = new TlsFiles(used.client(secure), nanos::get);
            Files.copy(
                    other.file("client.pem"),
                    used.file("client.pem"),
                    StandardCopyOption.REPLACE_EXISTING);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            files.refresh();
            assertThat(revision(secure, files)).isPositive();

            Files.copy(
                    other.file("client.key"),
                    used.file("client.key"),
                    StandardCopyOption.REPLACE_EXISTING);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            files.refresh();
            assertThatThrownBy(() -> revision(secure, files))
                    .as("of another authority")
                    .isInstanceOf(StatusRuntimeException.class);
        }
    }

    /** Uses a new connection. */
    private static long revision(String secure, TlsFiles files) {
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

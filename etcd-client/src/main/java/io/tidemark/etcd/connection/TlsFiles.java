package io.tidemark.etcd.connection;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.OpenSslSessionContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authorities, certificate and key of {@link EtcdOptions}, reloaded when their files change. It
 * compares contents, not times: a mounted Secret changes by a symbolic link. New connections use
 * what was loaded last; open ones continue. Files that cannot be used, or a key that does not match
 * the certificate (one of the two has yet to be written), change nothing. Thread-safe.
 */
final class TlsFiles {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);

    /** Shortest interval between two checks of the files. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final @Nullable Path ca;
    private final @Nullable Path certificate;
    private final @Nullable Path key;
    private final @Nullable AdvancedTlsX509TrustManager authorities;
    private final @Nullable AdvancedTlsX509KeyManager identity;
    private final SslContext context;
    private final LongSupplier nanoClock;

    /** Guarded by this. */
    private List<ByteBuffer> seen;

    private long nextCheckNanos;

    /**
     * @throws IllegalArgumentException when a file cannot be used
     */
    TlsFiles(EtcdOptions options) {
        this(options, System::nanoTime);
    }

    TlsFiles(EtcdOptions options, LongSupplier nanoClock) {
        this.ca = options.caFile();
        this.certificate = options.clientCertificate();
        this.key = options.clientKey();
        this.nanoClock = nanoClock;
        this.nextCheckNanos = nanoClock.getAsLong() + CHECK_INTERVAL.toNanos();
        SslContextBuilder builder = GrpcSslContexts.forClient();
        try {
            authorities = ca == null ? null : AdvancedTlsX509TrustManager.newBuilder().build();
            identity = certificate == null ? null : new AdvancedTlsX509KeyManager();
            seen = contents();
            load();
            if (authorities != null) {
                builder.trustManager(authorities);
            }
            if (identity != null) {
                builder.keyManager(identity);
            }
            context = builder.build();
            forgetSessions(context.sessionContext());
        } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
            throw new IllegalArgumentException(
                    "cannot set up TLS to etcd: " + unusable.getMessage(), unusable);
        }
    }

    /** Disables session resumption: a resumed session would keep its old certificate. */
    private static void forgetSessions(SSLSessionContext sessions) {
        sessions.setSessionTimeout(1);
        if (sessions instanceof OpenSslSessionContext openSsl) {
            openSsl.setSessionCacheEnabled(false);
        }
    }

    /** The context of new connections, valid across reloads. */
    SslContext context() {
        return context;
    }

    /** Reloads changed files, at most once a second. To be called often. */
    synchronized void refresh() {
        long now = nanoClock.getAsLong();
        if (now - nextCheckNanos < 0) {
            return;
        }
        nextCheckNanos = now + CHECK_INTERVAL.toNanos();
        try {
            List<ByteBuffer> contents = contents();
            if (!contents.equals(seen)) {
                seen = contents;
                load();
                LOG.info("certificate files for etcd changed: new connections use them");
            }
        } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
            LOG.warn(
                    "changed certificate files for etcd cannot be used; new connections keep the"
                            + " previous certificates: {}",
                    unusable.getMessage());
        }
    }

    private List<ByteBuffer> contents() throws IOException {
        List<ByteBuffer> contents = new ArrayList<>();
        for (Path file : new Path[] {ca, certificate, key}) {
            contents.add(ByteBuffer.wrap(file == null ? new byte[0] : Files.readAllBytes(file)));
        }
        return contents;
    }

    private void load() throws IOException, GeneralSecurityException {
        X509Certificate @Nullable [] trusted = ca == null ? null : PemFiles.certificates(ca);
        if (identity != null) {
            X509Certificate[] chain = PemFiles.certificates(Objects.requireNonNull(certificate));
            PrivateKey ours = PemFiles.privateKey(Objects.requireNonNull(key));
            requirePair(chain[0], ours);
            identity.updateIdentityCredentials(chain, ours);
        }
        if (authorities != null && trusted != null) {
            authorities.updateTrustCredentials(trusted);
        }
    }

    private void requirePair(X509Certificate ours, PrivateKey secret)
            throws GeneralSecurityException {
        String algorithm =
                switch (secret.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> "EdDSA";
                };
        byte[] text = {1};
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(secret);
        signer.update(text);
        byte[] signature = signer.sign();
        boolean pair = ours.getPublicKey().getAlgorithm().equals(secret.getAlgorithm());
        if (pair) {
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(ours.getPublicKey());
            verifier.update(text);
            pair = verifier.verify(signature);
        }
        if (!pair) {
            throw new IllegalArgumentException(
                    "the key in %s does not match the certificate in %s"
                            .formatted(key, certificate));
        }
    }
}

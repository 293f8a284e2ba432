package io.tidemark.connector;

import io.tidemark.connector.source.EtcdClientSource;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.upstream.TidemarkSource;
import io.tidemark.connector.upstream.UpstreamOptions;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.record.Bytes;
import java.nio.file.Path;
import java.util.Optional;

/** What a connector mirrors: an etcd, or another Tidemark in its place. */
public sealed interface SourceOptions {
    /**
     * @param prefix of the keys to mirror
     * @throws IllegalArgumentException when a file of the options cannot be used
     */
    EtcdSource open(Bytes prefix);

    /** The certificate by which the source knows this connector, if it does. */
    Optional<Path> clientCertificate();

    /** An etcd cluster. */
    record Etcd(EtcdOptions options) implements SourceOptions {
        @Override
        public EtcdSource open(Bytes prefix) {
            return new EtcdClientSource(options, prefix);
        }

        @Override
        public Optional<Path> clientCertificate() {
            return Optional.ofNullable(options.clientCertificate());
        }
    }

    /** The nodes of another Tidemark. */
    record Tidemark(UpstreamOptions options) implements SourceOptions {
        @Override
        public EtcdSource open(Bytes prefix) {
            return new TidemarkSource(options, prefix);
        }

        @Override
        public Optional<Path> clientCertificate() {
            return options.identity().map(UpstreamOptions.Identity::certificate);
        }
    }
}

package io.tidemark.standalone.options;

import io.tidemark.client.UsageException;
import io.tidemark.connector.SourceOptions;
import io.tidemark.connector.upstream.UpstreamOptions;
import io.tidemark.standalone.options.security.SecretFiles;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a connector mirrors: the etcd of {@code --etcd}, or the Tidemark at its URLs. */
public final class SourceTarget {
    @Mixin private EtcdTarget etcd = new EtcdTarget();

    @Option(
            names = "--etcd-token-file",
            paramLabel = "FILE",
            description = {
                "File with the bearer token by which a followed Tidemark knows this connector, over"
                        + " https:// only;",
                "read again when it changes; mode 0600."
            })
    private @Nullable Path token;

    /** Whether {@code --etcd} is given; without it {@code up} runs an etcd. */
    public boolean isGiven() {
        return etcd.isGiven();
    }

    /**
     * @throws UsageException if {@code --etcd} is missing or the options contradict each other
     */
    public SourceOptions source() {
        if (etcd.endpoints().stream().noneMatch(UpstreamOptions::isTidemark)) {
            if (token != null) {
                throw new UsageException(
                        "--etcd-token-file is for a Tidemark, such as --etcd https://HOST:8443/kv;"
                                + " etcd takes --etcd-user or --etcd-cert");
            }
            return new SourceOptions.Etcd(etcd.options());
        }
        if (token != null) {
            SecretFiles.requirePrivate(token);
        }
        return new SourceOptions.Tidemark(etcd.tidemark(Optional.ofNullable(token)));
    }

    /**
     * The etcd that {@code up} runs, which has no users and no TLS.
     *
     * @throws UsageException if {@code --etcd-*} options are given without {@code --etcd}
     */
    public SourceOptions ownAt(String endpoint) {
        requireNoneWithoutEtcd();
        return new SourceOptions.Etcd(etcd.ownAt(endpoint));
    }

    /**
     * @throws UsageException if {@code --etcd-*} options are given without {@code --etcd}
     */
    public void requireNoneWithoutEtcd() {
        etcd.requireNoneWithoutEtcd();
        if (!isGiven() && token != null) {
            throw new UsageException("options that begin with --etcd- need --etcd URL");
        }
    }
}

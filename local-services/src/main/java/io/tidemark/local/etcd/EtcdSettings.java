package io.tidemark.local.etcd;

import java.nio.file.Path;
import java.util.List;

/**
 * Settings of an {@link EtcdProcess}.
 *
 * @param dataDirectory for the data, the log file and the process id; reusing it restarts the same
 *     etcd
 * @param clientPort loopback port for clients; 0 picks a free one
 * @param flags further flags of etcd, which override those set here
 */
public record EtcdSettings(Path dataDirectory, int clientPort, List<String> flags) {
    public EtcdSettings {
        if (clientPort < 0 || clientPort > 65535) {
            throw new IllegalArgumentException(
                    "client port " + clientPort + " is not within 0 and 65535");
        }
        flags = List.copyOf(flags);
    }

    /** An etcd on a free port. */
    public static EtcdSettings in(Path dataDirectory) {
        return new EtcdSettings(dataDirectory, 0, List.of());
    }

    /** For tests: an etcd without fsync, which may lose data in a power failure. */
    public static EtcdSettings forTests(Path dataDirectory) {
        return new EtcdSettings(dataDirectory, 0, List.of("--unsafe-no-fsync"));
    }

    public EtcdSettings withClientPort(int port) {
        return new EtcdSettings(dataDirectory, port, flags);
    }

    public EtcdSettings withFlags(String... newFlags) {
        return new EtcdSettings(dataDirectory, clientPort, List.of(newFlags));
    }

    /** etcd's own folder below the data directory. */
    Path memberDirectory() {
        return dataDirectory.toAbsolutePath().resolve("data");
    }
}

package io.tidemark.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An installed etcd and its version.
 *
 * @param etcd the server program
 * @param version as reported by {@code --version}
 * @param origin how it was found, for messages
 */
public record EtcdBinary(Path etcd, EtcdVersion version, String origin) {

    private static final Logger LOG = LoggerFactory.getLogger(EtcdBinary.class);

    private static final Duration VERSION_TIMEOUT = Duration.ofSeconds(20);

    /**
     * Finds an etcd to run, or fetches one; see {@link EtcdLocator}.
     *
     * @throws EtcdUnavailableException when none is found or fetched
     */
    public static EtcdBinary find() throws EtcdUnavailableException {
        return EtcdLocator.locate(LOG::info);
    }

    /**
     * Runs {@code --version}.
     *
     * @throws IOException if the program does not run or is not etcd
     */
    static EtcdBinary inspect(Path etcd, String origin) throws IOException {
        Path absolute = etcd.toAbsolutePath().normalize();
        Command.Result answer =
                Command.run(
                        Path.of("/"), VERSION_TIMEOUT, List.of(absolute.toString(), "--version"));
        Optional<EtcdVersion> version =
                answer.succeeded() && answer.output().toLowerCase(Locale.ROOT).contains("etcd")
                        ? EtcdVersion.find(answer.output())
                        : Optional.empty();
        return new EtcdBinary(
                absolute,
                version.orElseThrow(() ->
                        new IOException(absolute + " does not answer --version as etcd does")),
                origin);
    }

    /** The client program, if it is beside the server or on the PATH. */
    public Optional<Path> etcdctl() {
        return beside("etcdctl");
    }

    /** The program for snapshot files, if it is beside the server or on the PATH. */
    public Optional<Path> etcdutl() {
        return beside("etcdutl");
    }

    private Optional<Path> beside(String program) {
        Path sibling = etcd.resolveSibling(program);
        return Files.isExecutable(sibling) ? Optional.of(sibling) : SearchPath.find(program);
    }
}

package io.tidemark.local.etcd;

import io.tidemark.local.Command;
import io.tidemark.local.SearchPath;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An installed etcd and its version.
 *
 * @param etcd the server program
 * @param version as reported by {@code --version}
 * @param origin how it was found, for messages
 */
public record EtcdBinary(Path etcd, Version version, String origin) {
    /**
     * The oldest version that is run here: the first 3.5 release whose watch progress responses are
     * correct and timely.
     */
    static final Version OLDEST_TRUSTED = Version.parse("3.5.13");

    private static final Logger LOG = LoggerFactory.getLogger(EtcdBinary.class);

    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+");

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
        Matcher version = VERSION.matcher(answer.output());
        if (!answer.succeeded()
                || !answer.output().toLowerCase(Locale.ROOT).contains("etcd")
                || !version.find()) {
            throw new IOException(absolute + " does not answer --version as etcd does");
        }
        return new EtcdBinary(absolute, Version.parse(version.group()), origin);
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

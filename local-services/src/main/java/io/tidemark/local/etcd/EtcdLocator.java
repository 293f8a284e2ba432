package io.tidemark.local.etcd;

import io.tidemark.local.FolderLock;
import io.tidemark.local.FolderOwnershipCheck;
import io.tidemark.local.SearchPath;
import io.tidemark.local.ToolFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds an etcd to run, in this order: the variable {@code TIDEMARK_ETCD_BINARY} (a file or its
 * folder, any version), the PATH (3.5.13 or later), an earlier fetch, a new fetch. Fetched programs
 * go to the user's cache folder, which all checkouts share, and run only if no other user could
 * have written them. With {@code TIDEMARK_ETCD_RELEASE=newest}, it skips the PATH and fetches the
 * newest available release.
 */
public final class EtcdLocator {
    /** Variable with the path of the etcd to use. */
    public static final String VARIABLE = "TIDEMARK_ETCD_BINARY";

    private final Map<String, String> environment;
    private final EtcdRelease release;

    /** The folder of fetched tools; empty if this user has no home. */
    private final Optional<Path> tools;

    private final Fetcher fetcher;
    private final List<String> rejected = new ArrayList<>();

    /** Puts {@code bin/etcd} into a new folder. */
    @FunctionalInterface
    interface Fetcher {
        void fetchInto(Path folder, Consumer<String> progress) throws IOException;
    }

    /**
     * @throws EtcdUnavailableException if the environment names an unknown release
     */
    EtcdLocator(Map<String, String> environment, Optional<Path> tools, Fetcher fetcher)
            throws EtcdUnavailableException {
        this.environment = Map.copyOf(environment);
        this.release = EtcdRelease.of(environment);
        this.tools = tools;
        this.fetcher = fetcher;
    }

    static EtcdLocator of(Map<String, String> environment) throws EtcdUnavailableException {
        DebianPackages packages = new DebianPackages(EtcdRelease.of(environment).suite());
        return new EtcdLocator(
                environment,
                ToolFolder.of(environment, System.getProperty("user.home", "")),
                packages::fetchInto);
    }

    /**
     * Finds or fetches an etcd for this process's environment. Safe to call from many processes at
     * once: one fetches, the others wait for it.
     *
     * @param progress receives a line for each slow step
     * @throws EtcdUnavailableException when none is found or fetched; says what to install
     */
    public static EtcdBinary locate(Consumer<String> progress) throws EtcdUnavailableException {
        return of(System.getenv()).find(progress);
    }

    /**
     * The etcd that {@link #locate} would find without fetching one; empty if there is none.
     *
     * @throws EtcdUnavailableException if the variable names an unusable one
     */
    public static Optional<EtcdBinary> present() throws EtcdUnavailableException {
        return of(System.getenv()).findPresent();
    }

    EtcdBinary find(Consumer<String> progress) throws EtcdUnavailableException {
        Optional<EtcdBinary> found = findPresent();
        return found.isPresent() ? found.get() : fetch(progress);
    }

    Optional<EtcdBinary> findPresent() throws EtcdUnavailableException {
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isBlank()) {
            return Optional.of(named(Path.of(named)));
        }
        Optional<Path> onPath =
                release.fromPath()
                        ? SearchPath.find(environment.getOrDefault("PATH", ""), "etcd")
                        : Optional.empty();
        return onPath.flatMap(etcd -> trusted(etcd, "on the PATH")).or(this::fetchedEarlier);
    }

    private static EtcdBinary named(Path path) throws EtcdUnavailableException {
        Path etcd = Files.isDirectory(path) ? path.resolve("etcd") : path;
        try {
            return EtcdBinary.inspect(etcd, "named by " + VARIABLE);
        } catch (IOException e) {
            throw new EtcdUnavailableException(
                    VARIABLE + " names " + path + ", which cannot be used: " + e.getMessage());
        }
    }

    private Optional<EtcdBinary> trusted(Path etcd, String origin) {
        try {
            EtcdBinary binary = EtcdBinary.inspect(etcd, origin);
            if (binary.version().compareTo(EtcdBinary.OLDEST_TRUSTED) >= 0) {
                return Optional.of(binary);
            }
            rejected.add(etcd + " is " + binary.version());
        } catch (IOException e) {
            rejected.add(e.getMessage());
        }
        return Optional.empty();
    }

    private Optional<EtcdBinary> fetchedEarlier() {
        return tools.map(folder -> folder.resolve(release.tool()).resolve("bin/etcd"))
                .filter(Files::isExecutable)
                .filter(this::isSafe)
                .flatMap(etcd -> trusted(etcd, "fetched earlier"));
    }

    private boolean isSafe(Path etcd) {
        try {
            Optional<String> ownershipProblem =
                    FolderOwnershipCheck.ofThisProcess().ownershipProblem(etcd);
            ownershipProblem.ifPresent(why -> rejected.add("%s, as %s".formatted(etcd, why)));
            return ownershipProblem.isEmpty();
        } catch (IOException e) {
            rejected.add("%s, as its owner cannot be determined: %s".formatted(etcd, e));
            return false;
        }
    }

    private EtcdBinary fetch(Consumer<String> progress) throws EtcdUnavailableException {
        Path folder =
                tools.orElseThrow(() ->
                        new EtcdUnavailableException(
                                advice("this user has no home folder to store it in")));
        try {
            FolderOwnershipCheck.create(folder);
            Optional<String> ownershipProblem =
                    FolderOwnershipCheck.ofThisProcess().ownershipProblem(folder);
            if (ownershipProblem.isPresent()) {
                throw new IOException(
                        "it cannot be stored in %s: ".formatted(folder) + ownershipProblem.get());
            }
            return fetchInto(folder, progress);
        } catch (IOException e) {
            throw new EtcdUnavailableException(advice(String.valueOf(e.getMessage())));
        }
    }

    private EtcdBinary fetchInto(Path folder, Consumer<String> progress) throws IOException {
        Path tool = folder.resolve(release.tool());
        try (FolderLock _ = FolderLock.acquire(folder)) {
            Optional<EtcdBinary> byAnother = fetchedEarlier();
            if (byAnother.isPresent()) {
                return byAnother.get();
            }
            Path partial = folder.resolve(release.tool() + ".partial");
            FolderLock.deleteRecursively(partial);
            FolderOwnershipCheck.create(partial);
            fetcher.fetchInto(partial, progress);
            EtcdBinary.inspect(partial.resolve("bin/etcd"), "");
            FolderLock.deleteRecursively(tool);
            Files.move(partial, tool);
            return EtcdBinary.inspect(tool.resolve("bin/etcd"), "fetched into " + folder);
        }
    }

    private String advice(String reason) {
        String skipped =
                rejected.isEmpty() ? "" : " (skipped: " + String.join("; ", rejected) + ")";
        return "no etcd "
                + EtcdBinary.OLDEST_TRUSTED
                + " or later on the PATH"
                + skipped
                + ", and none could be fetched: "
                + reason
                + ". Install etcd (macOS: brew install etcd; elsewhere the release archive of"
                + " etcd-io/etcd), put it on the PATH or name it in "
                + VARIABLE
                + ", or use a running one with --etcd URL";
    }
}

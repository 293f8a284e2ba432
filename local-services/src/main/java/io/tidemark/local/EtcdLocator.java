package io.tidemark.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds an etcd to run. In this order: the variable {@code TIDEMARK_ETCD_BINARY} (a file or its
 * folder, of any version: who names one means it), the PATH (3.5.13 or later), what was fetched
 * earlier, and last a fetch. What is fetched serves everyone on the machine: it goes to the folder
 * {@code .tools} of the repository if there is one with an etcd already, else to the user's cache
 * folder.
 */
public final class EtcdLocator {
    /** Variable that names the etcd to use. */
    public static final String VARIABLE = "TIDEMARK_ETCD_BINARY";

    private final Map<String, String> environment;
    private final List<Path> toolFolders;
    private final Fetcher fetcher;
    private final List<String> rejected = new ArrayList<>();

    /** Puts {@code bin/etcd} into a new folder, or says why it cannot. */
    @FunctionalInterface
    interface Fetcher {
        void fetchInto(Path folder, Consumer<String> progress) throws IOException;
    }

    /**
     * @param toolFolders where fetched tools are looked for, in order; the last one is where a
     *     fetch goes
     */
    EtcdLocator(Map<String, String> environment, List<Path> toolFolders, Fetcher fetcher) {
        this.environment = Map.copyOf(environment);
        this.toolFolders = List.copyOf(toolFolders);
        this.fetcher = fetcher;
    }

    /**
     * Finds or fetches an etcd for this process's environment. Safe to call from many processes at
     * once: one fetches, the others wait for it.
     *
     * @param progress gets a line for each step that takes time
     * @throws EtcdUnavailableException when there is none; says what to install
     */
    public static EtcdBinary locate(Consumer<String> progress) throws EtcdUnavailableException {
        return new EtcdLocator(
                        System.getenv(),
                        ToolFolders.of(System.getenv(), Path.of("").toAbsolutePath()),
                        new DebianPackages()::fetchInto)
                .find(progress);
    }

    /**
     * The etcd that {@link #locate} would find without fetching one; empty if there is none.
     *
     * @throws EtcdUnavailableException if the variable names one that cannot be used
     */
    public static Optional<EtcdBinary> present() throws EtcdUnavailableException {
        return new EtcdLocator(
                        System.getenv(),
                        ToolFolders.of(System.getenv(), Path.of("").toAbsolutePath()),
                        (_, _) -> {})
                .findPresent();
    }

    EtcdBinary find(Consumer<String> progress) throws EtcdUnavailableException {
        Optional<EtcdBinary> found = findPresent();
        return found.isPresent() ? found.get() : fetch(progress);
    }

    private Optional<EtcdBinary> findPresent() throws EtcdUnavailableException {
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isBlank()) {
            return Optional.of(named(Path.of(named)));
        }
        return SearchPath.find(environment.getOrDefault("PATH", ""), "etcd")
                .flatMap(etcd -> trusted(etcd, "on the PATH"))
                .or(this::fetchedEarlier);
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
            if (binary.version().compareTo(EtcdVersion.OLDEST_TRUSTED) >= 0) {
                return Optional.of(binary);
            }
            rejected.add(etcd + " is " + binary.version());
        } catch (IOException e) {
            rejected.add(e.getMessage());
        }
        return Optional.empty();
    }

    private Optional<EtcdBinary> fetchedEarlier() {
        return toolFolders.stream()
                .map(folder -> folder.resolve("etcd/bin/etcd"))
                .filter(Files::isExecutable)
                .flatMap(etcd -> trusted(etcd, "fetched earlier").stream())
                .findFirst();
    }

    private EtcdBinary fetch(Consumer<String> progress) throws EtcdUnavailableException {
        Path tools = toolFolders.getLast();
        try (FolderLock _ = FolderLock.acquire(tools)) {
            Optional<EtcdBinary> byAnother = fetchedEarlier();
            if (byAnother.isPresent()) {
                return byAnother.get();
            }
            Path partial = tools.resolve("etcd.partial");
            FolderLock.deleteRecursively(partial);
            Files.createDirectories(partial);
            fetcher.fetchInto(partial, progress);
            EtcdBinary.inspect(partial.resolve("bin/etcd"), "");
            FolderLock.deleteRecursively(tools.resolve("etcd"));
            Files.move(partial, tools.resolve("etcd"));
            return EtcdBinary.inspect(tools.resolve("etcd/bin/etcd"), "fetched into " + tools);
        } catch (IOException e) {
            throw new EtcdUnavailableException(advice(String.valueOf(e.getMessage())));
        }
    }

    private String advice(String reason) {
        String passedOver =
                rejected.isEmpty() ? "" : " (passed over: " + String.join("; ", rejected) + ")";
        return "no etcd "
                + EtcdVersion.OLDEST_TRUSTED
                + " or later on the PATH"
                + passedOver
                + ", and none could be fetched: "
                + reason
                + ". Install etcd (macOS: brew install etcd; elsewhere the release archive of"
                + " etcd-io/etcd), put it on the PATH or name it in "
                + VARIABLE
                + ", or use a running one with --etcd URL";
    }
}

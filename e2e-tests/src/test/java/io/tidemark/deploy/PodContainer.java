package io.tidemark.deploy;

import io.tidemark.harness.AotCache;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs a Pod's program as its container would: from the release's files, at the image's paths,
 * below a read-only root, as the image's user and without capabilities. This needs root, and the
 * right to mount.
 */
final class PodContainer {
    private static final Path SCRIPT =
            Path.of("src", "test", "resources", "deploy", "container.sh").toAbsolutePath();
    private static final Path LAUNCHER = Path.of("..", "tidemark");
    private static final Path LIBRARIES = Path.of("..", "standalone", "target", "dist", "lib");
    private static final int USER = 10_001;

    private final Path folder;
    private final Path hosts;

    /**
     * @param folder for the files of all containers
     * @param hosts their {@code /etc/hosts}, when they start
     */
    PodContainer(Path folder, Path hosts) throws IOException {
        this.folder = Files.createDirectories(folder).toAbsolutePath();
        this.hosts = hosts.toAbsolutePath();
        Path release = Files.createDirectories(folder.resolve("release").resolve("lib"));
        List<Path> jars;
        try (Stream<Path> all = Files.list(LIBRARIES)) {
            jars = all.map(Path::toAbsolutePath).sorted().toList();
        }
        for (Path jar : jars) {
            Files.copy(jar, release.resolve(jar.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        }
        fastStart(jars, release.resolveSibling("start.aot"));
        Path launcher = release.resolveSibling("tidemark");
        Files.copy(LAUNCHER, launcher);
        if (!launcher.toFile().setExecutable(true, false)) {
            throw new IOException("cannot make the launcher executable");
        }
    }

    /** The file that the launcher looks for, as {@code tidemark build --fast-start} makes it. */
    private static void fastStart(List<Path> jars, Path cache) throws IOException {
        String classPath =
                jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        Optional<Path> made =
                AotCache.of(classPath, List.of("-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders"));
        if (made.isPresent()) {
            Files.copy(made.get(), cache);
        }
    }

    /** Whether this process may do what a container runtime does. */
    static boolean isPossible() {
        try {
            run("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt");
            run("setpriv", "--version");
            return Files.isDirectory(LIBRARIES);
        } catch (IOException _) {
            return false;
        }
    }

    /**
     * The command line of a Pod's container.
     *
     * @param data its empty volume; its root stays root's, as the kubelet changes the group alone
     * @param mounts its Secrets and ConfigMaps
     * @param command of the manifest
     */
    List<String> command(String name, Path data, Path mounts, List<String> command)
            throws IOException {
        giveToGroup(data, "u=rwx,g=rwxs,o=rx");
        List<String> line = new ArrayList<>(List.of("unshare", "--mount", "sh", SCRIPT.toString()));
        line.add(Files.createDirectories(folder.resolve("root-" + name)).toString());
        line.add(folder.resolve("release").toString());
        line.add(System.getProperty("java.home"));
        line.add(hosts.toString());
        line.add(data.toAbsolutePath().toString());
        line.add(mounts.toAbsolutePath().toString());
        line.addAll(command);
        return line;
    }

    /** Makes the files of Secrets readable as the kubelet mounts them: by the Pod's group. */
    static void asMounted(Path mounts) throws IOException {
        giveToGroup(mounts, "u=rwX,g=rX,o=");
    }

    /** As fsGroup does: the owner stays root. */
    private static void giveToGroup(Path folder, String mode) throws IOException {
        run("chown", "-R", "0:" + USER, folder.toString());
        run("chmod", "-R", mode, folder.toString());
    }

    private static void run(String... command) throws IOException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (process.waitFor() != 0) {
                throw new IOException("failed: " + String.join(" ", command));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Whether a process runs as the image's user, without capabilities, below a read-only root. */
    static boolean confines(long pid) throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
        List<String> mounts = Files.readAllLines(Path.of("/proc", Long.toString(pid), "mounts"));
        String id = "\t%d\t%d\t%d\t%d".formatted(USER, USER, USER, USER);
        return status.contains("Uid:" + id)
                && status.contains("Gid:" + id)
                && status.contains("CapEff:\t0000000000000000")
                && status.contains("CapBnd:\t0000000000000000")
                && status.contains("NoNewPrivs:\t1")
                && mounts.stream().anyMatch(each -> each.startsWith("tmpfs / tmpfs ro,"));
    }
}

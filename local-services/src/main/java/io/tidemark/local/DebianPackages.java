package io.tidemark.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Takes etcd from Debian's own packages, without touching the system: an index and a download
 * folder of our own, from the package mirror that the machine already uses, checked against the
 * Debian keys that the machine already trusts. Needs no root. The programs are static, so that they
 * run on other releases of Debian than the one they come from.
 */
final class DebianPackages {
    private static final List<String> PACKAGES = List.of("etcd-server", "etcd-client");
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private static final List<Path> KEYRINGS =
            List.of(
                    Path.of("/usr/share/keyrings/debian-archive-keyring.gpg"),
                    Path.of("/usr/share/keyrings/debian-archive-keyring.pgp"));

    private final String suite;

    /**
     * @param suite of Debian's archive, whose etcd is taken
     */
    DebianPackages(String suite) {
        this.suite = suite;
    }

    /** Leaves {@code bin/etcd}, {@code bin/etcdctl} and {@code bin/etcdutl} in the folder. */
    void fetchInto(Path folder, Consumer<String> progress) throws IOException {
        Path aptGet = tool("apt-get");
        Path dpkg = tool("dpkg");
        Path keyring =
                KEYRINGS.stream()
                        .filter(Files::isReadable)
                        .findFirst()
                        .orElseThrow(() -> new IOException("this machine has no Debian keyring"));
        List<String> mirrors = AptSources.ofMachine().debianMirrors();
        if (mirrors.isEmpty()) {
            throw new IOException("apt names no Debian mirror on this machine");
        }
        IOException failure = null;
        for (String mirror : mirrors) {
            try {
                download(aptGet, folder, mirror, keyring, progress);
                unpack(dpkg, folder);
                return;
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure == null ? new IOException("no mirror was tried") : failure;
    }

    private static Path tool(String name) throws IOException {
        return SearchPath.find(name)
                .orElseThrow(() ->
                        new IOException(
                                "fetching works with Debian's packages, and there is no " + name));
    }

    private void download(
            Path aptGet, Path folder, String mirror, Path keyring, Consumer<String> progress)
            throws IOException {
        Files.createDirectories(folder.resolve("lists/partial"));
        Files.createDirectories(folder.resolve("cache/archives/partial"));
        Path source = folder.resolve("source.list");
        Files.writeString(
                source, "deb [signed-by=%s] %s %s main\n".formatted(keyring, mirror, suite));
        progress.accept("fetching etcd: reading Debian's package index (10 MB)");
        apt(aptGet, folder, List.of("update"));
        progress.accept("fetching etcd: downloading its packages (17 MB)");
        apt(aptGet, folder, Stream.concat(Stream.of("download"), PACKAGES.stream()).toList());
    }

    private static void apt(Path aptGet, Path folder, List<String> arguments) throws IOException {
        Map<String, String> options =
                Map.of(
                        "Dir::Etc::sourcelist", folder.resolve("source.list").toString(),
                        "Dir::Etc::sourceparts", "-",
                        "Dir::State::lists", folder.resolve("lists").toString(),
                        "Dir::Cache", folder.resolve("cache").toString(),
                        "Acquire::Languages", "none",
                        "Acquire::Retries", "2",
                        // The folder may be closed to apt's own user; what is read is verified.
                        "APT::Sandbox::User", "");
        List<String> command =
                Stream.of(
                                Stream.of(aptGet.toString()),
                                options.entrySet().stream()
                                        .flatMap(o ->
                                                Stream.of("-o", o.getKey() + "=" + o.getValue())),
                                arguments.stream())
                        .flatMap(part -> part)
                        .toList();
        require(Command.run(folder, TIMEOUT, command), "apt-get " + arguments.getFirst());
    }

    private static void unpack(Path dpkg, Path folder) throws IOException {
        List<Path> packages;
        try (Stream<Path> files = Files.list(folder)) {
            packages = files.filter(file -> file.toString().endsWith(".deb")).toList();
        }
        Path root = folder.resolve("root");
        for (Path archive : packages) {
            require(
                    Command.run(
                            folder,
                            TIMEOUT,
                            List.of(dpkg.toString(), "-x", archive.toString(), root.toString())),
                    "dpkg -x");
        }
        Files.move(root.resolve("usr/bin"), folder.resolve("bin"));
        // The index alone is 60 MB once unpacked.
        for (Path waste : List.of(root, folder.resolve("lists"), folder.resolve("cache"))) {
            FolderLock.deleteRecursively(waste);
        }
        for (Path archive : packages) {
            Files.delete(archive);
        }
    }

    private static void require(Command.Result result, String what) throws IOException {
        if (!result.succeeded()) {
            throw new IOException(what + " failed: " + result.lastLine());
        }
    }
}

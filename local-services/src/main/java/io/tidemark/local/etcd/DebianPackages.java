package io.tidemark.local.etcd;

import io.tidemark.local.Command;
import io.tidemark.local.FolderLock;
import io.tidemark.local.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Fetches etcd from Debian's packages without changing the system: uses a separate index and
 * download folder, the machine's package mirror, and its trusted Debian keys. Does not need root.
 * The programs are static, so they also run on other releases of Debian.
 */
public final class DebianPackages {
    private static final List<String> PACKAGES = List.of("etcd-server", "etcd-client");
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private static final List<Path> KEYRINGS =
            List.of(
                    Path.of("/usr/share/keyrings/debian-archive-keyring.gpg"),
                    Path.of("/usr/share/keyrings/debian-archive-keyring.pgp"));

    private final String suite;

    /**
     * @param suite of Debian's archive to take etcd from
     */
    DebianPackages(String suite) {
        this.suite = suite;
    }

    /** Puts {@code bin/etcd}, {@code bin/etcdctl} and {@code bin/etcdutl} into the folder. */
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
            throw new IOException("apt has no Debian mirror configured on this machine");
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
                        new IOException("fetching needs Debian's tools, but there is no " + name));
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
                        // apt's own user may lack access to the folder; downloads are verified.
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

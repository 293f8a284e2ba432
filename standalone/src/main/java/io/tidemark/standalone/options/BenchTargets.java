package io.tidemark.standalone.options;

import io.tidemark.bench.http.Target;
import io.tidemark.bench.load.SendReference;
import io.tidemark.client.UsageException;
import io.tidemark.credentials.TlsContexts;
import io.tidemark.credentials.TlsIdentity;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The servers that {@code bench} measures. */
public final class BenchTargets {
    @Option(
            names = "--target",
            paramLabel = "NAME=URL",
            description = {
                "A server to measure, http:// or https://; may be given several times:",
                "the servers take turns."
            })
    private Map<String, String> urls = new LinkedHashMap<>();

    @Option(
            names = "--target-http2",
            paramLabel = "NAME",
            description = {
                "Speak HTTP/2 with this https:// server, and not HTTP/1.1; may be given several",
                "times. A hundred watches share a connection."
            })
    private Set<String> http2 = new LinkedHashSet<>();

    @Option(
            names = "--process",
            paramLabel = "NAME=PID",
            description = {
                "The process of a server on this machine, whose CPU time and memory are measured;",
                "may be given several times."
            })
    private Map<String, Long> processes = new LinkedHashMap<>();

    @Option(
            names = "--target-token-file",
            paramLabel = "NAME=FILE",
            description = "File whose first line is the bearer token for a server.")
    private Map<String, Path> tokens = new LinkedHashMap<>();

    @Option(
            names = "--target-ca",
            paramLabel = "FILE",
            description =
                    "PEM file with the certificate authorities of https:// servers; without it,"
                            + " Java's trust store.")
    private @Nullable Path ca;

    /**
     * @throws UsageException if none is given, or one is not usable
     */
    public List<Target> targets() {
        if (urls.isEmpty()) {
            throw new UsageException(
                    "needs --target NAME=URL, such as --target tidemark=http://127.0.0.1:8080");
        }
        if (urls.containsKey(SendReference.MACHINE)) {
            throw new UsageException(
                    "--target %s: results have this name for the machine; choose another"
                            .formatted(SendReference.MACHINE));
        }
        requireTargets("--process", processes.keySet());
        requireTargets("--target-token-file", tokens.keySet());
        requireTargets("--target-http2", http2);
        SSLContext tls = tls();
        List<Target> targets = new ArrayList<>();
        urls.forEach((name, url) ->
                targets.add(
                        new Target(
                                name,
                                uri(name, url),
                                token(name),
                                tls,
                                http2.contains(name),
                                process(name))));
        return targets;
    }

    private void requireTargets(String option, Set<String> names) {
        for (String name : names) {
            if (!urls.containsKey(name)) {
                throw new UsageException(
                        "%s %s: there is no --target of this name".formatted(option, name));
            }
        }
    }

    private URI uri(String name, String url) {
        if (http2.contains(name) && !url.startsWith("https://")) {
            throw new UsageException(
                    "--target-http2 %s: HTTP/2 needs an https:// server, not %s"
                            .formatted(name, url));
        }
        try {
            URI uri = URI.create(url);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (http && uri.getHost() != null) {
                return uri;
            }
        } catch (IllegalArgumentException _) {
            // Reported below.
        }
        throw new UsageException(
                "--target %s: '%s' is not a URL such as http://127.0.0.1:8080"
                        .formatted(name, url));
    }

    private long process(String name) {
        long process = processes.getOrDefault(name, 0L);
        if (process != 0 && !Files.isReadable(Path.of("/proc", Long.toString(process), "stat"))) {
            throw new UsageException(
                    "--process %s: there is no process %d on this machine"
                            .formatted(name, process));
        }
        return process;
    }

    private @Nullable String token(String name) {
        Path file = tokens.get(name);
        if (file == null) {
            return null;
        }
        try {
            return Files.readString(file).lines().findFirst().orElse("").strip();
        } catch (IOException e) {
            throw new UsageException("--target-token-file %s: %s".formatted(name, e));
        }
    }

    private SSLContext tls() {
        try {
            return ca == null
                    ? SSLContext.getDefault()
                    : TlsContexts.of(Optional.empty(), TlsIdentity.readAuthorities(ca));
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new UsageException("--target-ca: " + e.getMessage());
        }
    }
}

package io.tidemark.standalone.options.security;

import io.tidemark.client.UsageException;
import io.tidemark.credentials.ReloadedFiles;
import io.tidemark.query.audit.AuditPolicy;
import io.tidemark.query.audit.AuditPolicyReader;
import io.tidemark.query.audit.AuditSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a node records about requests. */
public final class AuditOptions {
    @Option(
            names = "--audit-log",
            paramLabel = "FILE",
            description = {
                "Record each request of the client port as a JSON line of audit.k8s.io/v1. At 100"
                        + " MiB the file is",
                "renamed to FILE.1; nine such files are kept."
            })
    private @Nullable Path log;

    @Option(
            names = "--audit-policy",
            paramLabel = "FILE",
            description = {
                "Which requests are recorded: an API server's audit policy, without bodies"
                        + " (default: all, when they are",
                "complete). It is read again when it changes."
            })
    private @Nullable Path policy;

    /**
     * Empty without {@code --audit-log}.
     *
     * @throws UsageException if the options contradict each other, or the policy cannot be used
     */
    public Optional<AuditSettings> settings() {
        if (log == null) {
            if (policy != null) {
                throw new UsageException("--audit-policy needs --audit-log FILE");
            }
            return Optional.empty();
        }
        return Optional.of(new AuditSettings(log, policy()));
    }

    private Supplier<AuditPolicy> policy() {
        Path file = policy;
        if (file == null) {
            return () -> AuditPolicy.ALL;
        }
        try {
            return new ReloadedFiles<>(
                    "the audit policy", () -> AuditPolicyReader.read(file), _ -> "new rules");
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}

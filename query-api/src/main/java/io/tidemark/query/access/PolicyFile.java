package io.tidemark.query.access;

import io.tidemark.authentication.ChangeSignal;
import io.tidemark.authorization.Authorizer;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.EffectiveRules;
import io.tidemark.authorization.RbacRules;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.credentials.ReloadedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Decides by a file of roles and bindings, in Kubernetes' own YAML: for a mirror without a cluster,
 * or with other rights than the cluster's. The file is read again when its content changes, within
 * two seconds; while the content is unusable, the earlier rules stay in force and the log says so.
 * Thread-safe; a decision reads memory only.
 */
public final class PolicyFile implements Authorizer, AutoCloseable {
    private static final int MAX_BYTES = 1 << 20;
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private final Path path;
    private final ReloadedFiles<Policy> file;
    private final ChangeSignal signal = new ChangeSignal();
    private final Thread thread;
    private volatile Policy lastRead = new Policy(new byte[0], RbacRules.empty(false), "");
    private volatile InForce current;
    private volatile boolean closed;

    /**
     * One object as long as the content is the same.
     *
     * @param problem why it is unusable; empty if it is not
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Policy(byte[] content, RbacRules rules, String problem) {}

    private record InForce(Policy policy, Standing standing) {}

    /**
     * Reads the file, and follows it until it is closed.
     *
     * @throws IOException when it cannot be read, is empty or is above 1 MiB; the message is a
     *     sentence that names the file
     * @throws IllegalArgumentException when a document is unusable; likewise, with its number
     */
    public PolicyFile(Path path) throws IOException {
        this.path = path;
        this.file = new ReloadedFiles<>("the policy file", this::read, _ -> "new rules");
        this.current = inForce(file.get(), 0);
        this.thread = Thread.ofPlatform().name("tidemark-policy").daemon().start(this::follow);
    }

    private static InForce inForce(Policy policy, long version) {
        return new InForce(policy, new Standing(version, Standing.ANY_EPOCH, Long.MAX_VALUE));
    }

    /** Parses the file only if it has changed, since it is read each second. */
    private Policy read() throws IOException {
        byte[] content = content();
        Policy last = lastRead;
        if (!Arrays.equals(last.content(), content)) {
            last = parsed(content);
            lastRead = last;
        }
        if (!last.problem().isEmpty()) {
            throw new IllegalArgumentException(last.problem());
        }
        return last;
    }

    private Policy parsed(byte[] content) {
        try {
            return new Policy(content, PolicyDocuments.parse(content, true), "");
        } catch (RuntimeException e) {
            String problem = "the policy file %s: %s".formatted(path, e.getMessage());
            return new Policy(content, RbacRules.empty(false), problem);
        }
    }

    private byte[] content() throws IOException {
        byte[] content;
        try (InputStream in = Files.newInputStream(path)) {
            content = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw new IOException("the policy file %s cannot be read".formatted(path), e);
        }
        if (content.length == 0) {
            // A file that is being replaced; as a policy it would take every right away.
            throw new IOException("the policy file %s is empty".formatted(path));
        }
        if (content.length > MAX_BYTES) {
            throw new IOException("the policy file %s is larger than 1 MiB".formatted(path));
        }
        return content;
    }

    private void follow() {
        while (!closed) {
            LockSupport.parkNanos(this, POLL_INTERVAL.toNanos());
            Policy newest = file.get();
            InForce before = current;
            if (newest != before.policy()) {
                current = inForce(newest, before.standing().version() + 1);
                signal.raise();
            }
        }
    }

    @Override
    public Decision decide(Caller caller, RequestAttributes request) {
        return current.policy().rules().decide(caller, request);
    }

    @Override
    public Optional<EffectiveRules> rulesOf(Caller caller, String namespace) {
        return Optional.of(current.policy().rules().rulesOf(caller, namespace));
    }

    @Override
    public Standing standing() {
        return current.standing();
    }

    @Override
    public Runnable onChange(Runnable listener) {
        return signal.onChange(listener);
    }

    /** Follows the file no more; the last rules stay in force. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}

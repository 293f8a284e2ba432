package io.tidemark.authentication;

import io.tidemark.authorization.Caller;
import io.tidemark.credentials.ReloadedFiles;
import io.tidemark.credentials.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Knows the tokens of a file with lines {@code token,user,uid,"group1,group2"}. It is read again
 * when it changes; while its content is unusable, the earlier tokens stay in force. Thread-safe.
 */
public final class TokenFile implements TokenAuthenticator {
    /** Some 10,000 users. */
    private static final int MAX_BYTES = 1 << 20;

    private final ReloadedFiles<TokenTable> file;
    private final ChangeSignal signal = new ChangeSignal();
    private TokenTable used;

    /**
     * @throws IOException when it cannot be read, is above 1 MiB, or others can read it; the
     *     message is a sentence that names the file
     * @throws IllegalArgumentException when it has no tokens, or a line is unusable; likewise, with
     *     the number of the line
     */
    public TokenFile(Path path) throws IOException {
        this(path, System::nanoTime);
    }

    TokenFile(Path path, LongSupplier nanoTime) throws IOException {
        this.file =
                new ReloadedFiles<>(
                        "the token file",
                        () -> read(path),
                        table -> table.callers().size() + " tokens",
                        nanoTime);
        this.used = file.get();
    }

    private static TokenTable read(Path path) throws IOException {
        byte[] content = SecretFile.readBytes(path, MAX_BYTES);
        try {
            TokenTable table = TokenTable.parse(content);
            // Programs truncate a file before they write it.
            if (table.callers().isEmpty()) {
                throw new IllegalArgumentException("it has no tokens");
            }
            return table;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the token file %s: %s".formatted(path, e.getMessage()), e);
        }
    }

    @Override
    public Authentication authenticate(String token) {
        refresh();
        Caller caller = file.get().callers().get(TokenDigest.of(token));
        return caller == null
                ? new Authentication.None()
                : new Authentication.Known(caller, Instant.MAX);
    }

    @Override
    public long version() {
        return signal.version();
    }

    @Override
    public Runnable onChange(Runnable listener) {
        return signal.onChange(listener);
    }

    @Override
    public void refresh() {
        TokenTable newest = file.get();
        boolean changed;
        synchronized (this) {
            changed = newest != used;
            used = newest;
        }
        if (changed) {
            signal.raise();
        }
    }
}

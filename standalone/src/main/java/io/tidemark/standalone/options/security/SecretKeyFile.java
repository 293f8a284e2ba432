package io.tidemark.standalone.options.security;

import io.tidemark.client.UsageException;
import io.tidemark.credentials.ReloadedFiles;
import io.tidemark.credentials.SecretFile;
import io.tidemark.record.secret.KeyRing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the keys that encrypt Secrets, opened at the first use and reread when it changes.
 * Thread-safe.
 */
public final class SecretKeyFile implements Supplier<KeyRing> {
    private static final Logger LOG = LoggerFactory.getLogger(SecretKeyFile.class);

    private final Path file;
    private final boolean made;
    private @Nullable ReloadedFiles<KeyRing> content;

    /**
     * @param made whether to make the file, with a random key, if it does not exist
     */
    public SecretKeyFile(Path file, boolean made) {
        this.file = file;
        this.made = made;
    }

    /**
     * The newest usable keys.
     *
     * @throws UsageException at the first use, if the file cannot be read, has no key or a bad
     *     line, or others can read it
     */
    @Override
    public KeyRing get() {
        return opened().get();
    }

    private synchronized ReloadedFiles<KeyRing> opened() {
        ReloadedFiles<KeyRing> open = content;
        if (open == null) {
            try {
                if (made && !Files.exists(file)) {
                    make();
                }
                open =
                        new ReloadedFiles<>(
                                "the key file of Secrets",
                                () -> KeyRing.parse(SecretFile.read(file)),
                                KeyRing::toString);
            } catch (IOException e) {
                throw new UsageException("--secrets-key-file: " + e.getMessage());
            } catch (IllegalArgumentException e) {
                throw new UsageException(
                        "--secrets-key-file %s: %s".formatted(file, e.getMessage()));
            }
            content = open;
        }
        return open;
    }

    /** Whole or not at all: a file that is cut short would be refused from then on. */
    private void make() throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] mode =
                posix
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        byte[] text = KeyRing.randomText("1").getBytes(StandardCharsets.UTF_8);
        try (SeekableByteChannel out =
                Files.newByteChannel(
                        draft,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.SYNC),
                        mode)) {
            ByteBuffer rest = ByteBuffer.wrap(text);
            while (rest.hasRemaining()) {
                out.write(rest);
            }
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        LOG.info(
                "made {} with the key that encrypts Secrets: without it they cannot be read", file);
    }
}

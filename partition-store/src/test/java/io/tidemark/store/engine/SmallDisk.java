package io.tidemark.store.engine;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A small file system in memory, which a test can fill and empty. Only root may mount one. */
public final class SmallDisk implements AutoCloseable {
    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts it; skips the test where that is not permitted. */
    public static SmallDisk mount(Path folder, int mebibytes) throws Exception {
        Files.createDirectories(folder);
        Assumptions.assumeTrue(
                run(
                        List.of(
                                "mount",
                                "-t",
                                "tmpfs",
                                "-o",
                                "size=%dm".formatted(mebibytes),
                                "tmpfs",
                                folder.toString())),
                "needs root, who may mount a tmpfs: the small disk");
        return new SmallDisk(folder);
    }

    public Path folder() {
        return folder;
    }

    /** Uses up all free space. */
    public void fill() throws IOException {
        byte[] block = new byte[4_096];
        try (OutputStream out = Files.newOutputStream(filler())) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space")) {
                throw e;
            }
        }
    }

    /** Frees the space again. */
    public void empty() throws IOException {
        Files.deleteIfExists(filler());
    }

    private Path filler() {
        return folder.resolve("filler");
    }

    @Override
    public void close() throws Exception {
        boolean _ = run(List.of("umount", "-l", folder.toString()));
    }

    private static boolean run(List<String> command) throws Exception {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException _) {
            return false; // There is no such program.
        }
    }
}

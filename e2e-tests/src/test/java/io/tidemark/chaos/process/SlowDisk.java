package io.tidemark.chaos.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The disk of one process, slowed down at run time: {@code slow_disk.c} intercepts the process's
 * system calls. It is compiled where gcc is installed.
 */
public final class SlowDisk {
    private static final String SOURCE = "slow_disk.c";

    private final Path library;
    private final Path folder;
    private final Path control;

    private SlowDisk(Path library, Path folder, Path control) {
        this.library = library;
        this.folder = folder;
        this.control = control;
    }

    /**
     * Compiles the library into a folder.
     *
     * @return empty where there is no C compiler, or where it cannot compile this
     */
    public static Optional<Path> compile(Path into) throws IOException, InterruptedException {
        Path source = Files.createDirectories(into).resolve(SOURCE);
        try (var text = SlowDisk.class.getResourceAsStream("/native/" + SOURCE)) {
            if (text == null) {
                throw new IOException("native/" + SOURCE + " is not on the class path");
            }
            Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Path library = into.resolve("slow_disk.so").toAbsolutePath();
        List<String> command =
                List.of(
                        "gcc",
                        "-shared",
                        "-fPIC",
                        "-O2",
                        "-o",
                        library.toString(),
                        source.toString(),
                        "-ldl");
        try {
            int code =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(into.resolve("slow_disk.log").toFile())
                            .start()
                            .waitFor();
            return code == 0 ? Optional.of(library) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty(); // There is no gcc.
        }
    }

    /**
     * @param library as {@link #compile} made it
     * @param folder of the process, whose files become slow
     * @param control a separate file, which outlives the process
     */
    public static SlowDisk of(Path library, Path folder, Path control) throws IOException {
        SlowDisk disk = new SlowDisk(library, folder.toAbsolutePath(), control.toAbsolutePath());
        disk.slowDown(Duration.ZERO);
        return disk;
    }

    /** The environment that the process needs. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "SLOW_DISK_FOLDER", folder.toString(),
                "SLOW_DISK_CONTROL", control.toString());
    }

    /** From now on each read, write and sync takes this much longer. */
    public void slowDown(Duration by) throws IOException {
        ByteBuffer millis = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        millis.putInt((int) by.toMillis()).flip();
        try (FileChannel file =
                FileChannel.open(control, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(millis, 0);
        }
    }
}

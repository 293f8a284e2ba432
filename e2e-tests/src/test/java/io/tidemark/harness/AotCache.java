package io.tidemark.harness;

import io.tidemark.standalone.TidemarkCli;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Classes of Tidemark that are loaded and linked in advance (JEP 483, JEP 514). Tests start more
 * than a hundred JVMs, and start-up is most of what many of them do. The first test of a build
 * makes the cache by a training run of {@code tidemark up}; a JVM ignores a cache of other jars.
 */
public final class AotCache {
    private static final long TRAINING_SECONDS = 180;

    private static final ConcurrentHashMap<String, Optional<Path>> MADE = new ConcurrentHashMap<>();

    private AotCache() {}

    /**
     * The cache for {@code classPath}, which has jars only; empty if training failed.
     *
     * @param jvmOptions such that a JVM uses only a cache that was made with the same
     */
    public static Optional<Path> of(String classPath, List<String> jvmOptions) {
        return MADE.computeIfAbsent(
                classPath + jvmOptions, _ -> findOrTrain(classPath, jvmOptions));
    }

    private static Optional<Path> findOrTrain(String classPath, List<String> jvmOptions) {
        try {
            Path folder = Files.createDirectories(Path.of("target", "aot").toAbsolutePath());
            int fingerprint = 31 * fingerprint(classPath) + jvmOptions.hashCode();
            Path cache = folder.resolve(Integer.toHexString(fingerprint) + ".aot");
            // Another fork of the same test run may be training.
            try (FileChannel file =
                            FileChannel.open(
                                    folder.resolve("lock"),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE);
                    FileLock _ = file.lock()) {
                if (!Files.exists(cache)) {
                    train(classPath, jvmOptions, folder, cache);
                }
            }
            return Optional.of(cache);
        } catch (IOException e) {
            System.err.println("tests start their JVMs without an AOT cache: " + e.getMessage());
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Changes with each jar. */
    private static int fingerprint(String classPath) throws IOException {
        List<Object> jars = new ArrayList<>();
        for (String jar : classPath.split(File.pathSeparator, -1)) {
            jars.add(jar);
            jars.add(Files.getLastModifiedTime(Path.of(jar)));
        }
        return jars.hashCode();
    }

    private static void train(String classPath, List<String> jvmOptions, Path folder, Path cache)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(jvmOptions);
        Path training = folder.resolve("training");
        Path made = folder.resolve("made.aot");
        options.add("-XX:AOTCacheOutput=" + made);
        Path output = folder.resolve("training.log");
        Process process =
                new ProcessBuilder(
                                TidemarkJvm.command(
                                        options,
                                        classPath,
                                        TidemarkCli.class,
                                        List.of(
                                                "up",
                                                "--data",
                                                training.toString(),
                                                "--listen",
                                                "127.0.0.1:0")))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TRAINING_SECONDS);
            while (process.isAlive() && !Files.readString(output).contains("\nready ")) {
                if (System.nanoTime() > end) {
                    throw new IOException("the training run was not ready in time: " + output);
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
            process.destroy();
            if (!process.waitFor(TRAINING_SECONDS, TimeUnit.SECONDS) || !Files.exists(made)) {
                throw new IOException("the training run made no cache: " + output);
            }
        } finally {
            process.destroyForcibly();
        }
        Files.move(made, cache, StandardCopyOption.ATOMIC_MOVE);
    }
}

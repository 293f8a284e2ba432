package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.ManagedProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/** Disks that corrupt written data. */
final class DiskCorruptionFaults {
    private static final Duration RESTART = Duration.ofMinutes(3);
    private static final int FLIPPED = 64;

    private DiskCorruptionFaults() {}

    /** It keeps running: what it has in memory is right, what it reads is not. */
    static FaultEffect flip(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        writeTables(node.process());
        int files = flip(scene.random(), node.process());
        return scene.hit("flipped bytes in %d files of".formatted(files), node);
    }

    static FaultEffect flipWhileDown(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        writeTables(node.process());
        node.process().kill();
        int files = flip(scene.random(), node.process());
        node.process().start();
        node.process().awaitReady(RESTART);
        return scene.hit("killed, flipped bytes in %d files of".formatted(files), node);
    }

    /** Stores with little data write their first tables when they are closed. */
    private static void writeTables(ManagedProcess process) throws Exception {
        if (largestTables(process.data()).isEmpty()) {
            boolean _ = process.stop(RESTART);
            process.start();
            process.awaitReady(RESTART);
        }
    }

    /** In the largest table of each of its partitions. */
    private static int flip(SplittableRandom random, ManagedProcess process) throws IOException {
        int files = 0;
        for (Path table : largestTables(process.data())) {
            try (FileChannel file =
                    FileChannel.open(table, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(FLIPPED, file.size()));
                long at = random.nextLong(file.size() - bytes.capacity() + 1);
                int read = file.read(bytes, at);
                for (int i = 0; i < read; i++) {
                    bytes.put(i, (byte) (bytes.get(i) ^ 0x5a));
                }
                files += file.write(bytes.flip(), at) > 0 ? 1 : 0;
            } catch (NoSuchFileException _) {
                // A running store replaces its files.
            }
        }
        if (files == 0) {
            throw new IllegalStateException("no table of " + process.name() + " to flip bytes in");
        }
        return files;
    }

    private static Collection<Path> largestTables(Path data) throws IOException {
        TreeMap<Path, Path> byStore = new TreeMap<>();
        BinaryOperator<Path> larger =
                BinaryOperator.maxBy(Comparator.comparingLong(file -> file.toFile().length()));
        Files.walkFileTree(
                data,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
                        boolean isTable = file.toString().endsWith(".sst");
                        // A store that was put aside is in a folder of another name.
                        if (isTable && file.getParent().endsWith("mirror")) {
                            byStore.merge(file.getParent(), file, larger);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    /** A running store deletes files. */
                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException why) {
                        return FileVisitResult.CONTINUE;
                    }
                });
        return byStore.values();
    }
}

package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.ManagedProcess;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Disks that corrupt written data. */
final class DiskCorruptionFaults {
    private static final Duration RESTART = Duration.ofMinutes(3);
    private static final int FLIPPED = 64;

    private DiskCorruptionFaults() {}

    /** It keeps running: what it has in memory is right, what it reads is not. */
    static FaultEffect flip(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        int files = flip(scene, node.process());
        return scene.hit("flipped bytes in %d files of".formatted(files), node);
    }

    static FaultEffect flipWhileDown(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        node.process().kill();
        int files = flip(scene, node.process());
        node.process().start();
        node.process().awaitReady(RESTART);
        return scene.hit("killed, flipped bytes in %d files of".formatted(files), node);
    }

    /** In the largest table of each of its partitions. */
    private static int flip(FaultContext scene, ManagedProcess process) throws IOException {
        int flipped = 0;
        for (Path table : largestTables(process.data())) {
            try (RandomAccessFile file = new RandomAccessFile(table.toFile(), "rw")) {
                byte[] bytes = new byte[(int) Math.min(FLIPPED, file.length())];
                long at = scene.random().nextLong(file.length() - bytes.length + 1);
                file.seek(at);
                file.readFully(bytes);
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] ^= 0x5a;
                }
                file.seek(at);
                file.write(bytes);
                flipped++;
            } catch (FileNotFoundException _) {
                // A running store replaces its files.
            }
        }
        return flipped;
    }

    private static List<Path> largestTables(Path data) throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            Map<Path, List<Path>> byStore =
                    all.filter(file -> file.toString().endsWith(".sst"))
                            .collect(Collectors.groupingBy(Path::getParent));
            return byStore.values().stream()
                    .flatMap(tables ->
                            tables.stream()
                                    .max(Comparator.comparing(DiskCorruptionFaults::length))
                                    .stream())
                    .sorted()
                    .toList();
        }
    }

    private static long length(Path file) {
        return file.toFile().length();
    }
}

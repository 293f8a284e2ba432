package io.tidemark.query.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    @TempDir Path folder;

    @Test
    void writesEveryLineOfManyWritersOnceAndInOrder() throws Exception {
        // On a busy machine the writers may wait for long.
        AuditLog log = new AuditLog(file(), AuditLog.DEFAULT_MAX_BYTES, Duration.ofMinutes(2));
        log.start();
        List<Thread> writers = new ArrayList<>();
        for (int writer = 0; writer < 8; writer++) {
            int number = writer;
            writers.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                for (int i = 0; i < 5_000; i++) {
                                    log.write(line(number + " " + i));
                                }
                            }));
        }
        for (Thread writer : writers) {
            writer.join();
        }
        log.close();
        int[] next = new int[8];
        for (String line : Files.readAllLines(file())) {
            String[] parts = line.split(" ");
            int writer = Integer.parseInt(parts[0]);
            assertThat(Integer.parseInt(parts[1])).isEqualTo(next[writer]++);
        }
        assertThat(next).containsOnly(5_000);
        assertThat(log.dropped()).isZero();
    }

    @Test
    void appendsToAnEarlierFileThatOnlyItsOwnerReads() throws Exception {
        for (String text : List.of("first", "second")) {
            AuditLog log = started(AuditLog.DEFAULT_MAX_BYTES);
            log.write(line(text));
            log.close();
        }
        assertThat(file()).hasContent("first\nsecond\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void beginsANewLineAfterOneThatWasCutShort() throws Exception {
        Files.writeString(file(), "whole\nha");
        AuditLog log = started(AuditLog.DEFAULT_MAX_BYTES);
        log.write(line("next"));
        log.close();
        assertThat(file()).hasContent("whole\nha\nnext\n");
    }

    @Test
    void beginsANewFileWhenOneIsFullAndKeepsNine() throws Exception {
        AuditLog log = started(100);
        for (int i = 0; i < 300; i++) {
            log.write(line("line %03d".formatted(i)));
        }
        log.close();
        Set<String> names = new TreeSet<>();
        try (var files = Files.list(folder)) {
            files.forEach(each -> names.add(each.getFileName().toString()));
        }
        assertThat(names).hasSize(1 + AuditLog.KEPT_FILES).contains("audit.log", "audit.log.9");
        List<String> all = new ArrayList<>();
        for (int number = AuditLog.KEPT_FILES; number > 0; number--) {
            all.addAll(Files.readAllLines(folder.resolve("audit.log." + number)));
        }
        all.addAll(Files.readAllLines(file()));
        assertThat(all).isSorted().doesNotHaveDuplicates().endsWith("line 299");
        assertThat(all).first().isEqualTo("line %03d".formatted(300 - all.size()));
    }

    @Test
    void countsLinesThatAFullDiskRefuses() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "needs /dev/full");
        AuditLog log = new AuditLog(full, AuditLog.DEFAULT_MAX_BYTES);
        log.start();
        for (int i = 0; i < 50; i++) {
            log.write(line("x"));
        }
        await().until(() -> log.dropped() == 50);
        log.close();
        assertThat(log.dropped()).isEqualTo(50);
    }

    @Test
    void dropsAndCountsWhenNobodyWrites() throws IOException {
        AuditLog log = new AuditLog(file(), AuditLog.DEFAULT_MAX_BYTES); // Not started.
        byte[] longest = line("x".repeat((64 << 10) - 1));
        int fit = AuditLog.QUEUED_BYTES / (longest.length + AuditLog.LINE_OVERHEAD);
        for (int i = 0; i < fit; i++) {
            log.write(longest);
        }
        assertThat(log.dropped()).isZero();
        log.write(longest);
        assertThat(log.dropped()).isEqualTo(1);
    }

    /** As one is whose client has reset its stream. */
    @Test
    void writesLinesOfAnInterruptedThread() throws IOException {
        AuditLog log = started(AuditLog.DEFAULT_MAX_BYTES);
        Thread.currentThread().interrupt();
        log.write(line("x"));
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        log.close();
        assertThat(log.dropped()).isZero();
        assertThat(file()).hasContent("x");
    }

    @Test
    void countsLinesAfterItsEnd() throws IOException {
        AuditLog log = started(AuditLog.DEFAULT_MAX_BYTES);
        log.close();
        log.write(line("x"));
        assertThat(log.dropped()).isEqualTo(1);
    }

    /** Its thread may end before what wakes it is queued, as it has at the second call here. */
    @Test
    void losesNothingWhenItsThreadHasEnded() throws IOException {
        AuditLog log = started(AuditLog.DEFAULT_MAX_BYTES);
        log.close();
        log.close();
        assertThat(log.dropped()).isZero();
    }

    private AuditLog started(long maxBytes) throws IOException {
        AuditLog log = new AuditLog(file(), maxBytes);
        log.start();
        return log;
    }

    private Path file() {
        return folder.resolve("audit.log");
    }

    private static byte[] line(String text) {
        return (text + "\n").getBytes(StandardCharsets.UTF_8);
    }
}

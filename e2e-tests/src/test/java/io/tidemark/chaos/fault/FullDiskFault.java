package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.ManagedProcess;
import io.tidemark.harness.Api;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A node's folder is a small separate in-memory file system that is full for a while. The node may
 * continue in the space that its stores have reserved: then it is killed, and starts on the full
 * disk. It must report the full disk and stay alive, and recover by itself once there is space.
 * Only root can mount one.
 */
final class FullDiskFault {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final String SIZE = "size=96m";

    private FullDiskFault() {}

    static boolean isPossible(FaultContext scene) {
        return ProcessFaults.nodesAreEnough(scene)
                && "root".equals(System.getProperty("user.name"));
    }

    static FaultEffect fill(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        ManagedProcess process = node.process();
        long began = System.nanoTime();
        restartEmpty(
                process,
                () -> {
                    process.wipe();
                    Files.createDirectories(process.data());
                    mount(process.data());
                });
        try {
            String came = fillAndEmpty(scene, node);
            restartEmpty(process, () -> unmount(process.data()));
            long held = (System.nanoTime() - began) / 1_000_000;
            return new FaultEffect(
                    "filled the disk of %s: %s".formatted(node, came),
                    scene.cluster().nodes().indexOf(node),
                    held);
        } catch (Exception e) {
            if (process.isAlive()) {
                process.kill();
            }
            unmount(process.data());
            throw e;
        }
    }

    private static String fillAndEmpty(FaultContext scene, Member node) throws Exception {
        Path filler = node.process().data().resolve("filler");
        fill(filler);
        boolean stoodStill = await(() -> saysFull(scene, node), scene.holdMillis());
        if (!stoodStill) {
            node.process().kill();
            node.process().start();
            // Restarting may free space, enough to go on with.
            if (!await(() -> saysFull(scene, node) || isReady(scene, node), PATIENCE.toMillis())) {
                throw new IllegalStateException(
                        node + " neither serves nor reports that its disk is full");
            }
        }
        Files.delete(filler);
        long emptied = System.nanoTime();
        if (!await(() -> isReady(scene, node), PATIENCE.toMillis())) {
            throw new IllegalStateException(
                    node
                            + (node.process().isAlive()
                                    ? " does not recover although it has space"
                                    : " ended on a full disk"));
        }
        return "%s, back after %d ms"
                .formatted(
                        stoodStill ? "it stopped writing" : "it was killed and started",
                        (System.nanoTime() - emptied) / 1_000_000);
    }

    private interface Step {
        void run() throws Exception;
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void restartEmpty(ManagedProcess process, Step change) throws Exception {
        if (process.isAlive()) {
            process.kill();
        }
        change.run();
        process.start();
        process.awaitReady(PATIENCE);
    }

    private static void fill(Path filler) throws IOException {
        byte[] block = new byte[4_096];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("space")) {
                throw e;
            }
        }
    }

    private static boolean isReady(FaultContext scene, Member node) throws Exception {
        return ready(scene, node).map(answer -> answer.status() == 200).orElse(false);
    }

    private static boolean saysFull(FaultContext scene, Member node) throws Exception {
        return ready(scene, node).map(answer -> answer.body().contains("[-]disk")).orElse(false);
    }

    private static Optional<Api.Answer> ready(FaultContext scene, Member node) throws Exception {
        if (!node.process().isAlive()) {
            return Optional.empty();
        }
        try {
            return Optional.of(scene.probe().api(node).get("/readyz"));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static boolean await(Condition condition, long millis) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return true;
    }

    private static void mount(Path folder) throws Exception {
        run(List.of("mount", "-t", "tmpfs", "-o", SIZE, "tmpfs", folder.toString()));
    }

    private static void unmount(Path folder) throws Exception {
        run(List.of("umount", folder.toString()));
    }

    private static void run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed");
        }
    }
}

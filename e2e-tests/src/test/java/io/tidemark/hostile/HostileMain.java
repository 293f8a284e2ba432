package io.tidemark.hostile;

import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkJvm;
import io.tidemark.harness.TidemarkProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A run from the command line. */
@Command(
        name = "hostile",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "One hostile client against one node, and its effect on another client.",
        description = {
            "",
            "Starts etcd and Tidemark as real processes. A bystander writes, GETs and watches an",
            "object, first with the node to itself, then beside the hostile client, which comes",
            "from another loopback address: 32 KiB selectors, trickling GETs of 1.4 MB objects",
            "and LISTs, watches, idle sockets, and /cluster, all at once.",
            "",
            "Exit code 0 when the node lives, the bystander got every answer and every event,",
            "and its GETs took at most twice as long as before (99th percentile); else 1.",
            ""
        })
public final class HostileMain implements Callable<Integer> {
    private static final String SOURCE = "127.0.0.2";

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "How long the attack lasts (default: ${DEFAULT-VALUE}).")
    private double minutes = 5;

    @Option(
            names = "--gets",
            paramLabel = "N",
            description = "Trickling GETs (default: ${DEFAULT-VALUE}).")
    private int gets = 1_000;

    @Option(
            names = "--lists",
            paramLabel = "N",
            description = "Trickling LISTs (default: ${DEFAULT-VALUE}).")
    private int lists = 1_000;

    @Option(
            names = "--watches",
            paramLabel = "N",
            description = "Watches of everything (default: ${DEFAULT-VALUE}).")
    private int watches = 5_000;

    @Option(
            names = "--sockets",
            paramLabel = "N",
            description = "Idle sockets (default: ${DEFAULT-VALUE}).")
    private int sockets = 20_000;

    @Option(
            names = "--loops",
            paramLabel = "N",
            description =
                    "Connections that send selectors, and as many that ask for /cluster (default:"
                            + " ${DEFAULT-VALUE}).")
    private int loops = 4;

    private HostileMain() {}

    /** The command. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new HostileMain()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Path folder = Files.createTempDirectory("hostile-");
        System.out.println("logs in " + folder);
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"))) {
            BulkObjects.fill(etcd);
            try (TidemarkProcess node =
                            TidemarkProcess.up(folder.resolve("data"), etcd.endpoint());
                    WellBehavedClient bystander = new WellBehavedClient(etcd, node.api())) {
                return run(folder, node, bystander);
            }
        }
    }

    private int run(Path folder, TidemarkProcess node, WellBehavedClient bystander)
            throws Exception {
        Duration calm = Duration.ofSeconds(60);
        pass("warming up", Duration.ofSeconds(30), node);
        bystander.next();
        pass("alone", calm, node);
        WellBehavedClient.Phase before = bystander.next();
        Duration attack = Duration.ofMillis((long) (minutes * 60_000));
        List<Process> attackers = attack(folder, node, attack);
        pass("attacked", attack, node);
        WellBehavedClient.Phase during = bystander.next();
        for (Process each : attackers) {
            if (!each.waitFor(60, TimeUnit.SECONDS)) {
                each.destroyForcibly();
            }
        }
        pass("afterwards", Duration.ofSeconds(10), node);
        return report(folder, node, before, during, attackers.size());
    }

    /**
     * Two processes, for the file descriptors; of the lowest priority, as if on another machine.
     */
    private List<Process> attack(Path folder, TidemarkProcess node, Duration time)
            throws Exception {
        int half = sockets / 2;
        return List.of(
                attacker(
                        folder.resolve("attack-0.log"),
                        node,
                        time,
                        "sockets=" + half,
                        "watches=" + watches),
                attacker(
                        folder.resolve("attack-1.log"),
                        node,
                        time,
                        "sockets=" + (sockets - half),
                        "gets=" + gets,
                        "lists=" + lists,
                        "selectors=" + loops,
                        "cluster=" + loops));
    }

    private static Process attacker(
            Path log, TidemarkProcess node, Duration time, String... attacks) throws Exception {
        List<String> command = new ArrayList<>(List.of("nice", "-n", "19"));
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                SOURCE,
                                Integer.toString(node.address().getPort()),
                                Long.toString(time.toSeconds())));
        arguments.addAll(List.of(attacks));
        command.addAll(
                TidemarkJvm.program(
                        AttackMain.class, List.of("-Xmx512m", "-XX:+UseSerialGC"), arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Waits, and checks now and then that the node lives. */
    private static void pass(String what, Duration time, TidemarkProcess node) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        System.out.printf("%s for %d s%n", what, time.toSeconds());
        while (System.nanoTime() < end && node.isAlive()) {
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private static int report(
            Path folder,
            TidemarkProcess node,
            WellBehavedClient.Phase before,
            WellBehavedClient.Phase during,
            int attackers)
            throws Exception {
        for (int i = 0; i < attackers; i++) {
            System.out.print(Files.readString(folder.resolve("attack-" + i + ".log")));
        }
        double ratio = during.gets.millis(0.99) / before.gets.millis(0.99);
        System.out.println("GET alone:       " + before.gets + ", failed " + before.failed);
        System.out.println("GET attacked:    " + during.gets + ", failed " + during.failed);
        System.out.println("events alone:    " + before.events + ", written " + before.writes);
        System.out.println("events attacked: " + during.events + ", written " + during.writes);
        System.out.printf("p99 of GET: %.2f times the one before%n", ratio);
        System.out.println("node: " + (node.isAlive() ? "alive, " + memory(node) : "DEAD"));
        boolean events = during.events.count() >= during.writes.get() - 5;
        boolean held = node.isAlive() && during.failed.get() == 0 && events && ratio <= 2;
        System.out.println(held ? "passed" : "FAILED");
        return held ? 0 : 1;
    }

    /** Linux' counts of the process: current and maximal. */
    private static String memory(TidemarkProcess node) throws Exception {
        StringBuilder text = new StringBuilder();
        for (String line :
                Files.readAllLines(
                        Path.of("/proc/" + node.pid() + "/status"), StandardCharsets.UTF_8)) {
            if (line.startsWith("VmHWM") || line.startsWith("VmRSS")) {
                text.append(line.replaceAll("\\s+", " ")).append(' ');
            }
        }
        return text.toString().strip();
    }
}

package io.tidemark.bench.load;

import io.tidemark.bench.http.Target;
import io.tidemark.bench.start.StartedServer;
import io.tidemark.bench.start.StartedServers;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * One start of a server, from the start of its process until it is ready. The latency is that time;
 * the CPU time is all that the process has used by then. The server runs on for {@link
 * FirstListLoad}; between turns no server runs.
 */
record StartLoad(Keep keep, StartedServers servers) implements Workload {
    /** What of a server's data is left for a start. */
    enum Keep {
        NOTHING("first-start", "start without data, until ready"),
        EVERYTHING("restart", "start on all data, until ready"),
        ALL_BUT_STATE("rebuild", "start without the state folder, until ready");

        private final String name;
        private final String title;

        Keep(String name, String title) {
            this.name = name;
            this.title = title;
        }

        boolean isPossible(StartedServer server) {
            return switch (this) {
                case NOTHING -> server.command().data() != null;
                case EVERYTHING -> true;
                case ALL_BUT_STATE -> server.command().state() != null;
            };
        }
    }

    @Override
    public String name() {
        return keep.name;
    }

    @Override
    public String title() {
        return keep.title;
    }

    @Override
    public String unit() {
        return "start";
    }

    @Override
    public boolean runsOn(Target target) {
        return keep.isPossible(servers.of(target));
    }

    @Override
    public Optional<Workload> next() {
        return Optional.of(new FirstListLoad(this, servers));
    }

    @Override
    public Outcome run(Target target) throws InterruptedException {
        StartedServer server = servers.of(target);
        try {
            prepare(server);
            ProcessUsage before = ProcessUsage.own();
            Duration took = server.start();
            ProcessUsage used = ProcessUsage.of(server.target().process());
            Usage usage =
                    new Usage(
                            took.toNanos() / 1e9,
                            used.cpuMillis(),
                            ProcessUsage.own().cpuMillis() - before.cpuMillis(),
                            used.memoryBytes());
            Histogram latency = Latency.histogram();
            latency.recordValue(took.toNanos() / 1_000);
            return new Outcome(usage, 1, 0, 0, "", Latency.of(latency));
        } catch (IOException e) {
            server.end();
            return failed(server, e);
        }
    }

    private void prepare(StartedServer server) throws IOException, InterruptedException {
        if (keep == Keep.NOTHING) {
            server.removeData();
            return;
        }
        if (!server.hasData()) {
            server.start();
            server.stop();
        }
        if (keep == Keep.ALL_BUT_STATE) {
            server.removeState();
        }
    }

    static Outcome failed(StartedServer server, IOException why) {
        boolean plain = why.getClass() == IOException.class;
        return Outcome.failed(
                "%s; its output is in %s".formatted(plain ? why.getMessage() : why, server.log()));
    }
}

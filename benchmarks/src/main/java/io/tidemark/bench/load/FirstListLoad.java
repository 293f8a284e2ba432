package io.tidemark.bench.load;

import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.Target;
import io.tidemark.bench.start.StartedServer;
import io.tidemark.bench.start.StartedServers;
import java.io.IOException;
import java.time.Duration;

/** The first LIST of all pods of a server that has just been started. Ends the server. */
record FirstListLoad(StartLoad start, StartedServers servers) implements Workload {
    @Override
    public String name() {
        return start.name() + "-list";
    }

    @Override
    public String title() {
        return "first LIST of all pods after a " + start.title().replace(", until ready", "");
    }

    @Override
    public String unit() {
        return "request";
    }

    @Override
    public Outcome run(Target target) throws InterruptedException {
        StartedServer server = servers.of(target);
        // Without a duration each client sends one request.
        RequestLoad list =
                new RequestLoad(name(), title(), 1, _ -> Request.of("/api/v1/pods"), Duration.ZERO);
        try {
            Outcome listed = list.run(server.target());
            server.stop();
            return listed;
        } catch (IOException e) {
            server.end();
            return StartLoad.failed(server, e);
        }
    }
}

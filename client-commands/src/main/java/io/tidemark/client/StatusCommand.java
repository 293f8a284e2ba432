package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark status}: shows the state of the cluster. */
@Command(
        name = "status",
        header = "Shows all nodes, partitions and the connector, as the queried node sees them.",
        description = {
            "",
            "Lag: revisions of a partition's most recent replica behind the newest known revision."
                    + " Age: time",
            "since that replica's newest watermark. Exits with 1 if a partition has no readable"
                    + " replica, no",
            "connector leads, or the connector is not following etcd.",
            "",
            "Examples:",
            "  tidemark status",
            "  tidemark status --watch",
            "  tidemark status -o json --server http://127.0.0.1:8081",
            ""
        })
public final class StatusCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServerOptions server = new ServerOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "table or json (default: ${DEFAULT-VALUE}).")
    private String output = "table";

    @Option(
            names = {"-w", "--watch"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Repeat until interrupted.")
    private boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "Interval of --watch (default: ${DEFAULT-VALUE}).")
    private int interval = 2;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Output form = Output.parse(output, List.of(Output.TABLE, Output.JSON));
        if (interval < 1 || interval > 3600) {
            throw new UsageException("--interval must be within 1 and 3600, not " + interval);
        }
        Terminal terminal = server.terminal(spec);
        try (NodeApiClient api = server.api()) {
            if (!watch) {
                return show(api, terminal, form);
            }
            while (true) {
                refresh(api, terminal, form);
                Thread.sleep(Duration.ofSeconds(interval));
            }
        }
    }

    /** Shows an error instead of ending: the node may answer the next time. */
    private void refresh(NodeApiClient api, Terminal terminal, Output form)
            throws IOException, InterruptedException {
        try {
            terminal.clear();
            int _ = show(api, terminal, form);
        } catch (ApiException e) {
            terminal.remark(String.valueOf(e.getMessage()));
        }
    }

    private int show(NodeApiClient api, Terminal terminal, Output form)
            throws IOException, InterruptedException {
        JsonNode cluster = api.get("/cluster", NodeApiClient.AS_JSON).json();
        if (form == Output.JSON) {
            terminal.document(cluster.toPrettyString());
        } else {
            new StatusTables(cluster).print(terminal);
        }
        return StatusTables.isHealthy(cluster) ? 0 : 1;
    }
}

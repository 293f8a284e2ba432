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

/** Shows how the whole stands. */
@Command(
        name = "status",
        header = "Shows all nodes, partitions and the connector, as any one node sees them.",
        description = {
            "",
            "Lag is how far a partition's best copy lies behind the newest revision known, and how"
                    + " old its",
            "newest word from etcd is. Ends with 1 when a partition cannot be read anywhere or no"
                    + " connector",
            "leads.",
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
            description = "Show it again and again.")
    private boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "How often, with --watch (default: ${DEFAULT-VALUE}).")
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
                again(api, terminal, form);
                Thread.sleep(Duration.ofSeconds(interval));
            }
        }
    }

    /** A node that does not answer may do so the next time. */
    private void again(NodeApiClient api, Terminal terminal, Output form)
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

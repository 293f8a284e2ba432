package io.tidemark.client.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.client.NodeApiClient;
import io.tidemark.client.Output;
import io.tidemark.client.ResourceArguments;
import io.tidemark.client.ResourceArguments.ResolvedTarget;
import io.tidemark.client.ServerOptions;
import io.tidemark.client.TableText;
import io.tidemark.client.Terminal;
import io.tidemark.client.Terminal.Colour;
import io.tidemark.diff.FieldDiff;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark history}: shows the versions of one object. */
@Command(
        name = "history",
        header = "Shows the versions of one object: when it changed, and which fields.",
        description = {
            "",
            "Newest last, as far back as the node's history goes; also for an object that has been"
                    + " deleted.",
            "'get --at' takes the printed times, 'get --revision' and 'diff' the revisions.",
            "",
            "Examples:",
            "  tidemark history deploy/storefront -n market",
            "  tidemark history node/pier-1 -o yaml",
            ""
        })
public final class HistoryCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ResourceArguments target = new ResourceArguments();
    @Mixin private ServerOptions server = new ServerOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "table, json or yaml (default: ${DEFAULT-VALUE}).")
    private String output = "table";

    @Override
    public Integer call() throws IOException, InterruptedException {
        Output form = Output.parse(output, List.of(Output.TABLE, Output.JSON, Output.YAML));
        Terminal terminal = server.terminal(spec);
        try (NodeApiClient api = server.api()) {
            ResolvedTarget found = target.find(api);
            ObjectNode history = VersionHistory.read(api, found, "history");
            switch (form) {
                case JSON -> terminal.document(history.toPrettyString());
                case YAML -> terminal.document(new YAMLMapper().writeValueAsString(history));
                case TABLE, WIDE, NAME -> table(terminal, history);
            }
        }
        return 0;
    }

    private static void table(Terminal terminal, JsonNode history) {
        TableText table = new TableText(List.of("revision", "time", "type", "changed"));
        @Nullable JsonNode before = null;
        for (JsonNode item : history.path("items")) {
            String type = item.path("type").asText();
            table.add(
                    Colour.ofEvent(type),
                    List.of(
                            item.path("revision").asText(),
                            item.path("time").asText("before " + history.path("floor").asText()),
                            type,
                            changed(item, before)));
            before = type.equals("DELETED") ? null : item.get("object");
        }
        table.print(terminal);
    }

    private static String changed(JsonNode item, @Nullable JsonNode before) {
        if (item.has("problem")) {
            return item.path("problem").asText();
        }
        return before == null || !item.path("type").asText().equals("MODIFIED")
                ? ""
                : DiffText.summary(FieldDiff.between(before, item.path("object"), false));
    }
}

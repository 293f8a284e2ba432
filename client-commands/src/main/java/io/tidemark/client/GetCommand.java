package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.client.ResourceArguments.ResolvedTarget;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark get}: shows objects, also as of an earlier revision or time. */
@Command(
        name = "get",
        header = "Shows objects, now or as of an earlier revision or time.",
        description = {
            "",
            "Without --at or --revision it shows the newest state, including every write that etcd"
                    + " has",
            "acknowledged before. With them it shows an earlier state, as far back as the node's"
                    + " history",
            "goes, including objects that have been deleted since.",
            "",
            "Examples:",
            "  tidemark get pods -n harbour",
            "  tidemark get pods -A -l tier=frontend --at -15m",
            "  tidemark get deploy/storefront -n market -o yaml --at 14:03",
            "  tidemark get nodes -o wide --revision 4711",
            ""
        })
public final class GetCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ResourceArguments target = new ResourceArguments();
    @Mixin private AsOfOption when = new AsOfOption();
    @Mixin private ServerOptions server = new ServerOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "table, wide, json, yaml or name (default: ${DEFAULT-VALUE}).")
    private String output = "table";

    @Override
    public Integer call() throws IOException, InterruptedException {
        Output form = Output.parse(output, List.of(Output.values()));
        TimeArgument moment = when.moment();
        Terminal terminal = server.terminal(spec);
        try (NodeApiClient api = server.api()) {
            ResolvedTarget found = target.find(api, moment);
            switch (form) {
                case JSON ->
                        terminal.document(
                                api.get(path(found, moment, "pretty=true"), NodeApiClient.AS_JSON)
                                        .body());
                case YAML ->
                        terminal.document(
                                api.get(path(found, moment, ""), NodeApiClient.AS_YAML).body());
                case NAME -> names(api, terminal, found, moment);
                case TABLE, WIDE -> table(api, terminal, found, moment, form == Output.WIDE);
            }
        }
        return 0;
    }

    private static String path(ResolvedTarget found, TimeArgument moment, String more) {
        return found.single() ? found.one(moment, more) : found.collection(moment, more);
    }

    private static void names(
            NodeApiClient api, Terminal terminal, ResolvedTarget found, TimeArgument moment)
            throws IOException, InterruptedException {
        JsonNode answer = api.get(path(found, moment, ""), NodeApiClient.AS_JSON).json();
        for (JsonNode object : found.single() ? List.of(answer) : answer.path("items")) {
            String name = object.path("metadata").path("name").asText();
            terminal.line(found.type().qualified() + "/" + name);
        }
    }

    private static void table(
            NodeApiClient api,
            Terminal terminal,
            ResolvedTarget found,
            TimeArgument moment,
            boolean wide)
            throws IOException, InterruptedException {
        JsonNode table = api.get(path(found, moment, ""), NodeApiClient.AS_TABLE).json();
        if (table.path("rows").isEmpty()) {
            terminal.remark("no " + found.text() + asOf(table, moment));
            return;
        }
        boolean everywhere = found.type().namespaced() && found.namespace().isEmpty();
        new ServerTable(terminal, wide, everywhere, false).print(table, "");
    }

    private static String asOf(JsonNode table, TimeArgument moment) {
        return moment instanceof TimeArgument.Now
                ? ""
                : " at revision " + table.path("metadata").path("resourceVersion").asText();
    }
}

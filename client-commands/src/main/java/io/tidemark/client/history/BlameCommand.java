package io.tidemark.client.history;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.NodeApiClient;
import io.tidemark.client.ResourceArguments;
import io.tidemark.client.ResourceArguments.ResolvedTarget;
import io.tidemark.client.ServerOptions;
import io.tidemark.client.TableText;
import io.tidemark.client.Terminal;
import io.tidemark.client.Terminal.Colour;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark blame}: who changed each field of an object, and when. */
@Command(
        name = "blame",
        header = "Shows who changed each field of an object, and when.",
        description = {
            "",
            "For each field: its value, the manager that wrote it by metadata.managedFields, and"
                    + " the revision",
            "and time of the change that gave it this value, as far back as the history goes. Also"
                    + " for an",
            "object that has been deleted.",
            "",
            "Examples:",
            "  tidemark blame deploy/storefront -n market",
            "  tidemark blame deploy/storefront -n market --field spec.template",
            ""
        })
public final class BlameCommand implements Callable<Integer> {
    private static final int MAX_VALUE = 60;

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ResourceArguments target = new ResourceArguments();
    @Mixin private ServerOptions server = new ServerOptions();

    @Option(
            names = "--field",
            paramLabel = "PATH",
            description = "Only fields whose path begins with this, such as spec.template.")
    private String field = "";

    @Option(
            names = "--all",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Also the fields of the status.")
    private boolean all;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Terminal terminal = server.terminal(spec);
        try (NodeApiClient api = server.api()) {
            ResolvedTarget found = target.find(api);
            ObjectNode history = VersionHistory.read(api, found, "blame");
            TableText table =
                    new TableText(List.of("field", "value", "manager", "since", "revision"));
            for (FieldBlame.Line line : FieldBlame.of(history)) {
                if (isWanted(line.path())) {
                    table.add(Colour.NONE, cells(line, history));
                }
            }
            table.print(terminal);
        }
        return 0;
    }

    private boolean isWanted(String path) {
        return path.startsWith(field) && (all || isOfStatus(field) || !isOfStatus(path));
    }

    /** Not of another field whose name begins so, such as statusPolicy. */
    private static boolean isOfStatus(String path) {
        return path.equals("status") || path.startsWith("status.") || path.startsWith("status[");
    }

    private static List<String> cells(FieldBlame.Line line, ObjectNode history) {
        String since =
                line.known()
                        ? line.version().path("time").asText()
                        : "before " + history.path("floor").asText();
        return List.of(
                line.path(),
                shortened(line.value().toString()),
                line.manager(),
                since,
                line.known() ? line.version().path("revision").asText() : "");
    }

    private static String shortened(String value) {
        return value.length() <= MAX_VALUE ? value : value.substring(0, MAX_VALUE - 1) + "…";
    }
}

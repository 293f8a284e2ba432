package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.client.ResourceArguments.ResolvedTarget;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark watch}: shows objects and their changes. */
@Command(
        name = "watch",
        header = "Shows objects, then every change, until interrupted.",
        description = {
            "",
            "After a lost connection it resumes at the last revision: no change is missed or"
                    + " repeated.",
            "With --from it begins at an earlier revision or time, and shows only changes.",
            "",
            "Examples:",
            "  tidemark watch pods -n harbour",
            "  tidemark watch pods -A -l tier=frontend --from -1h",
            "  tidemark watch deploy/storefront -n market -o json | jq .object.status",
            ""
        })
public final class WatchCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ResourceArguments target = new ResourceArguments();
    @Mixin private ServerOptions server = new ServerOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description =
                    "table, wide, json (one event per line) or yaml (default: ${DEFAULT-VALUE}).")
    private String output = "table";

    @Option(
            names = "--from",
            paramLabel = "R|TIME",
            description =
                    "Begin after a resourceVersion, or at a time: " + TimeArgument.TIMES + ".")
    private String from = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        Output form =
                Output.parse(output, List.of(Output.TABLE, Output.WIDE, Output.JSON, Output.YAML));
        TimeArgument moment =
                from.isEmpty()
                        ? new TimeArgument.Now()
                        : TimeArgument.parse("--from", from, ZonedDateTime.now());
        Terminal terminal = server.terminal(spec);
        try (NodeApiClient api = server.api()) {
            ResolvedTarget found = target.find(api);
            Shown shown = new Shown(terminal, form, found);
            ResumedStream stream = new ResumedStream();
            stream.reached(begin(api, found, shown, moment));
            stream.follow(terminal, () -> read(api, found, shown, stream));
        }
        return 0;
    }

    /** Shows the current objects unless {@code --from} is given; returns the watch's revision. */
    private String begin(NodeApiClient api, ResolvedTarget found, Shown shown, TimeArgument moment)
            throws IOException, InterruptedException {
        return switch (moment) {
            case TimeArgument.Revision(long number) -> Long.toString(number);
            case TimeArgument.Time time ->
                    revisionOf(
                            api.get(found.collection(time, "limit=1"), NodeApiClient.AS_JSON)
                                    .json());
            case TimeArgument.Now now -> {
                JsonNode list = api.get(found.collection(now), shown.accept()).json();
                if (from.isEmpty()) {
                    shown.list(list);
                }
                yield revisionOf(list);
            }
        };
    }

    private static String revisionOf(JsonNode list) {
        return list.path("metadata").path("resourceVersion").asText();
    }

    private static void read(
            NodeApiClient api, ResolvedTarget found, Shown shown, ResumedStream stream)
            throws IOException, InterruptedException {
        String path =
                found.collection(
                        new TimeArgument.Now(),
                        "watch=true",
                        "allowWatchBookmarks=true",
                        "resourceVersion=" + stream.revision());
        try (BufferedReader lines = api.lines(path, shown.accept())) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode event = NodeApiClient.parse(line);
                String type = event.path("type").asText();
                JsonNode object = event.path("object");
                if (type.equals("ERROR")) {
                    throw ResumedStream.ended(object);
                }
                JsonNode metadata = shown.metadata(object);
                String revision = metadata.path("resourceVersion").asText();
                if (type.equals("BOOKMARK")) {
                    shown.head(object);
                    stream.reached(revision);
                } else if (stream.isNew(revision, key(metadata))) {
                    shown.event(line, event, type);
                }
            }
        }
    }

    private static String key(JsonNode metadata) {
        return metadata.path("namespace").asText() + "/" + metadata.path("name").asText();
    }

    /** Prints events in the requested format. */
    private static final class Shown {
        private final Terminal terminal;
        private final Output form;
        private final ServerTable table;
        private final YAMLMapper yaml = new YAMLMapper();

        Shown(Terminal terminal, Output form, ResolvedTarget found) {
            this.terminal = terminal;
            this.form = form;
            boolean everywhere = found.type().namespaced() && found.namespace().isEmpty();
            this.table = new ServerTable(terminal, form == Output.WIDE, everywhere, true);
        }

        private boolean inTable() {
            return form == Output.TABLE || form == Output.WIDE;
        }

        String accept() {
            return inTable() ? NodeApiClient.AS_TABLE : NodeApiClient.AS_JSON;
        }

        void list(JsonNode list) throws IOException {
            if (inTable()) {
                table.print(list, "");
                return;
            }
            // List items have no kind, but the objects of events do.
            String kind = list.path("kind").asText().replaceFirst("List$", "");
            for (JsonNode item : list.path("items")) {
                ObjectNode event = NodeApiClient.JSON.createObjectNode().put("type", "ADDED");
                ObjectNode object = event.putObject("object");
                object.put("kind", kind).put("apiVersion", list.path("apiVersion").asText());
                item.properties().forEach(m -> object.set(m.getKey(), m.getValue()));
                event(event.toString(), event, "ADDED");
            }
        }

        /** A bookmark may have the columns. */
        void head(JsonNode object) {
            if (inTable()) {
                table.head(object);
            }
        }

        void event(String line, JsonNode event, String type) throws IOException {
            if (inTable()) {
                table.print(event.path("object"), type);
            } else if (form == Output.YAML) {
                terminal.document(yaml.writeValueAsString(event));
            } else {
                terminal.document(line);
            }
        }

        /** Of an object or a Table's row; a bookmark may be a Table without rows. */
        JsonNode metadata(JsonNode object) {
            JsonNode row = object.path("rows").path(0).path("object").path("metadata");
            return row.isObject() ? row : object.path("metadata");
        }
    }
}

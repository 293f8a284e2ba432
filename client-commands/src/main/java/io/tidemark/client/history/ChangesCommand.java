package io.tidemark.client.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.ApiException;
import io.tidemark.client.NodeApiClient;
import io.tidemark.client.Output;
import io.tidemark.client.ResourceType;
import io.tidemark.client.ResourceTypes;
import io.tidemark.client.ServerOptions;
import io.tidemark.client.Terminal;
import io.tidemark.client.Terminal.Colour;
import io.tidemark.client.TimeArgument;
import io.tidemark.client.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark changes}: what changed, and who did it. */
@Command(
        name = "changes",
        header = "Shows what changed, when, and who changed it.",
        description = {
            "",
            "Every change of a range of time, newest first, with the fields that differ, their old"
                    + " and new",
            "values, and the manager that wrote them. Heartbeats and changes of a status are left"
                    + " out and",
            "counted; --class shows them.",
            "",
            "Examples:",
            "  tidemark changes -A --from -15m",
            "  tidemark changes -n market --from 14:00 --to 14:05",
            "  tidemark changes deploy/storefront -n market --class all",
            "  tidemark changes -n market --follow",
            ""
        })
public final class ChangesCommand implements Callable<Integer> {
    private static final int PAGE = 500;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServerOptions server = new ServerOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "TYPE[/NAME]",
            description = "Only objects of these types, or one object (default: all).")
    private List<String> types = new ArrayList<>();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Only objects in this namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Objects of all namespaces, and those of none.")
    private boolean allNamespaces;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "LABELS",
            description = "Only objects with these labels, before or after the change.")
    private String labels = "";

    @Option(
            names = "--from",
            paramLabel = "R|TIME",
            description =
                    "After a resourceVersion, or since a time: "
                            + TimeArgument.TIMES
                            + " (default: ${DEFAULT-VALUE}).")
    private String from = "-15m";

    @Option(
            names = "--to",
            paramLabel = "R|TIME",
            description = "Through a resourceVersion, or until a time (default: now).")
    private String to = "now";

    @Option(
            names = "--class",
            split = ",",
            paramLabel = "CLASS",
            description =
                    "spec, metadata, status, noise or all; can be repeated (default: spec and"
                            + " metadata).")
    private List<String> classes = new ArrayList<>();

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "At most so many changes (default: ${DEFAULT-VALUE}).")
    private int limit = PAGE;

    @Option(
            names = {"-f", "--follow"},
            description = "Show the changes since --from, oldest first, and then those to come.")
    private boolean follow;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "table or json, one change in a line (default: ${DEFAULT-VALUE}).")
    private String output = "table";

    @Override
    public Integer call() throws IOException, InterruptedException {
        Output form = Output.parse(output, List.of(Output.TABLE, Output.JSON));
        if (limit < 1) {
            throw new UsageException("--limit: a number above 0");
        }
        Terminal terminal = server.terminal(spec);
        try (NodeApiClient api = server.api()) {
            String query = query(api);
            if (follow) {
                follow(api, query, terminal, form);
            } else {
                pages(api, query, terminal, form);
            }
        }
        return 0;
    }

    private String query(NodeApiClient api) throws IOException, InterruptedException {
        ZonedDateTime now = ZonedDateTime.now();
        StringJoiner query = new StringJoiner("&", "/changes?", "");
        moment(query, "from", TimeArgument.parse("--from", from, now));
        moment(query, "to", TimeArgument.parse("--to", to, now));
        List<String> wanted = classes.isEmpty() ? List.of("spec", "metadata") : classes;
        query.add("class=" + ResourceType.encoded(String.join(",", wanted)));
        if (!labels.isEmpty()) {
            query.add("labelSelector=" + ResourceType.encoded(labels));
        }
        boolean namespaced = types.isEmpty();
        boolean clusterScoped = false;
        List<String> resources = new ArrayList<>();
        Optional<ResourceTypes> all =
                types.isEmpty() ? Optional.empty() : Optional.of(ResourceTypes.of(api));
        for (String each : types) {
            int slash = each.indexOf('/');
            ResourceType type = all.orElseThrow().find(slash < 0 ? each : each.substring(0, slash));
            namespaced |= type.namespaced();
            clusterScoped |= !type.namespaced();
            resources.add(type.qualified());
            if (slash >= 0) {
                if (types.size() > 1) {
                    throw new UsageException("give one object, or types without names");
                }
                query.add("name=" + ResourceType.encoded(each.substring(slash + 1)));
            }
        }
        if (!resources.isEmpty()) {
            query.add("resource=" + ResourceType.encoded(String.join(",", resources)));
        }
        if (!allNamespaces && namespaced) {
            if (clusterScoped) {
                throw new UsageException(
                        "some of these types are in namespaces and some are not: add -A, or ask for"
                                + " them one after the other");
            }
            query.add("namespace=" + ResourceType.encoded(namespace));
        }
        return query.toString();
    }

    private static void moment(StringJoiner query, String name, TimeArgument moment) {
        switch (moment) {
            case TimeArgument.Now _ -> {
                // As without it.
            }
            case TimeArgument.Revision(long number) -> query.add(name + "=" + number);
            case TimeArgument.Time(Instant instant) -> query.add(name + "=" + instant);
        }
    }

    private void pages(NodeApiClient api, String query, Terminal terminal, Output form)
            throws IOException, InterruptedException {
        int left = limit;
        String token = "";
        ObjectNode hidden = NodeApiClient.JSON.createObjectNode();
        do {
            String more = token.isEmpty() ? "" : "&continue=" + token;
            String path = query + "&limit=" + Math.min(PAGE, left) + more;
            JsonNode page = api.get(path, NodeApiClient.AS_JSON).json();
            if (!(page.path("items") instanceof ArrayNode items)) {
                throw new ApiException(
                        404, "the server's response is no list of changes: is it a Tidemark node?");
            }
            if (token.isEmpty() && !page.path("complete").asBoolean()) {
                terminal.remark(
                        "the history reaches back to %s, revision %s"
                                .formatted(
                                        local(page.at("/floor/time").asText()),
                                        page.at("/floor/resourceVersion").asText()));
            }
            for (JsonNode item : items) {
                show(terminal, form, item);
            }
            page.path("hidden")
                    .properties()
                    .forEach(each ->
                            hidden.put(
                                    each.getKey(),
                                    hidden.path(each.getKey()).asLong()
                                            + each.getValue().asLong()));
            left -= items.size();
            token = page.path("metadata").path("continue").asText();
        } while (!token.isEmpty() && left > 0);
        remarks(terminal, hidden, !token.isEmpty());
    }

    private void remarks(Terminal terminal, ObjectNode hidden, boolean more) {
        List<String> counts = new ArrayList<>();
        hidden.properties()
                .forEach(each -> counts.add(each.getValue().asText() + " " + each.getKey()));
        if (!counts.isEmpty()) {
            terminal.remark("not shown: " + String.join(", ", counts) + "; see --class");
        }
        if (more) {
            terminal.remark("there are more: see --limit, or an earlier --to");
        }
    }

    private void follow(NodeApiClient api, String query, Terminal terminal, Output form)
            throws IOException, InterruptedException {
        try (BufferedReader lines = api.lines(query + "&watch=true", "application/x-ndjson")) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode item = NodeApiClient.parse(line);
                if (item.path("kind").asText().equals("Status")) {
                    throw new ApiException(
                            item.path("code").asInt(), item.path("message").asText());
                }
                show(terminal, form, item);
            }
        }
    }

    private void show(Terminal terminal, Output form, JsonNode item) {
        if (form == Output.JSON) {
            terminal.line(item.toString());
            return;
        }
        String type = item.path("type").asText();
        JsonNode object = item.path("object");
        String namespace = object.path("namespace").asText();
        String name = object.path("name").asText();
        StringBuilder head = new StringBuilder();
        head.append(local(item.path("time").asText())).append("  ").append(type).append("  ");
        head.append(object.path("resource").asText()).append(' ');
        head.append(namespace.isEmpty() ? name : namespace + "/" + name);
        head.append("  @").append(item.path("resourceVersion").asText());
        JsonNode root = item.path("root");
        if (root.isObject()) {
            head.append("  of ").append(root.path("kind").asText()).append(' ');
            head.append(root.path("name").asText());
        }
        terminal.line(Colour.ofEvent(type), safe(head.toString()));
        if (item.has("message")) {
            terminal.line("    " + safe(item.path("message").asText()));
        }
        int more = item.path("moreChanges").asInt();
        for (JsonNode change : item.path("changes")) {
            if (isShown(change.path("path").asText())) {
                terminal.line("    " + safe(field(change)));
            } else {
                more++;
            }
        }
        if (more > 0) {
            terminal.line("    and %d more fields".formatted(more));
        }
    }

    /** Fields of the status are of interest to those who ask for its changes. */
    private boolean isShown(String path) {
        return !path.startsWith("status.")
                || classes.stream().anyMatch(name -> name.equals("status") || name.equals("all"));
    }

    private static String field(JsonNode change) {
        String manager = change.path("manager").asText();
        String values =
                change.path("hidden").asBoolean()
                        ? "(hidden)"
                        : value(change.get("old")) + " → " + value(change.get("new"));
        String cut = change.path("cut").asBoolean() ? " (cut)" : "";
        String who = manager.isEmpty() ? "" : "  by " + manager;
        return change.path("path").asText() + ": " + values + cut + who;
    }

    private static String value(@Nullable JsonNode value) {
        return value == null ? "none" : value.toString();
    }

    /** Control characters of an object must not reach the terminal. */
    private static String safe(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> {
                    if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                        safe.append("\\u%04x".formatted(c));
                    } else {
                        safe.appendCodePoint(c);
                    }
                });
        return safe.toString();
    }

    /** In the zone of this machine. */
    private static String local(String time) {
        return time.isEmpty()
                ? ""
                : Instant.parse(time).atZone(ZonedDateTime.now().getZone()).format(TIME);
    }
}

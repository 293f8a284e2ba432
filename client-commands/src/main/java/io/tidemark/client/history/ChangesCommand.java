package io.tidemark.client.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.ApiException;
import io.tidemark.client.NodeApiClient;
import io.tidemark.client.Output;
import io.tidemark.client.ResourceType;
import io.tidemark.client.ResourceTypes;
import io.tidemark.client.ResumedStream;
import io.tidemark.client.ServerOptions;
import io.tidemark.client.Terminal;
import io.tidemark.client.TimeArgument;
import io.tidemark.client.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
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

    /** With bookmarks, so that a quiet stream resumes at a revision that is still readable. */
    private static final String FOLLOWED = "&watch=true&allowWatchBookmarks=true";

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
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
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
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description =
                    "Show the changes since --from, oldest first, and then those to come, until"
                            + " interrupted. Without --to and --limit.")
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
        for (String bound : List.of("--to", "--limit")) {
            if (follow && spec.commandLine().getParseResult().hasMatchedOption(bound)) {
                throw new UsageException("--follow has no end: leave out " + bound);
            }
        }
        Terminal terminal = server.terminal(spec);
        boolean status = classes.contains("status") || classes.contains("all");
        ChangeText text = new ChangeText(terminal, form, status);
        ZonedDateTime now = ZonedDateTime.now();
        TimeArgument begin = TimeArgument.parse("--from", from, now);
        if (!follow && begin instanceof TimeArgument.Now) {
            throw new UsageException("--from now: nothing has changed since then; see --follow");
        }
        TimeArgument end = TimeArgument.parse("--to", to, now);
        try (NodeApiClient api = server.api()) {
            String filters = filters(api);
            if (follow) {
                follow(api, begin, filters, text, terminal);
            } else {
                String range = parameter("from", begin) + parameter("to", end);
                pages(api, "/changes?" + range + filters, text, terminal);
            }
        }
        return 0;
    }

    private static String parameter(String name, TimeArgument moment) {
        return switch (moment) {
            case TimeArgument.Now _ -> ""; // As without it.
            case TimeArgument.Revision(long number) -> name + "=" + number + "&";
            case TimeArgument.Time(Instant instant) -> name + "=" + instant + "&";
        };
    }

    private String filters(NodeApiClient api) throws IOException, InterruptedException {
        StringJoiner query = new StringJoiner("&");
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

    private void pages(NodeApiClient api, String query, ChangeText text, Terminal terminal)
            throws IOException, InterruptedException {
        int left = limit;
        String token = "";
        boolean whole = true;
        ObjectNode hidden = NodeApiClient.JSON.createObjectNode();
        do {
            String more = token.isEmpty() ? "" : "&continue=" + token;
            String path = query + "&limit=" + Math.min(PAGE, left) + more;
            JsonNode page = api.get(path, NodeApiClient.AS_JSON).json();
            if (!(page.path("items") instanceof ArrayNode items)) {
                throw new ApiException(
                        404, "the server's response is no list of changes: is it a Tidemark node?");
            }
            if (whole && !page.path("complete").asBoolean()) { // The floor may rise meanwhile.
                whole = false;
                terminal.remark(
                        "the history reaches back to %s, revision %s"
                                .formatted(
                                        ChangeText.local(page.at("/floor/time").asText()),
                                        page.at("/floor/resourceVersion").asText()));
            }
            for (JsonNode item : items) {
                text.print(item);
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

    /**
     * Each stream ends after a while; the next one continues where it ended. A stream from now on
     * has no begin: its first line says where it began, and it needs no right to the history.
     */
    private static void follow(
            NodeApiClient api,
            TimeArgument begin,
            String filters,
            ChangeText text,
            Terminal terminal)
            throws IOException, InterruptedException {
        ResumedStream stream = new ResumedStream();
        if (begin instanceof TimeArgument.Revision(long number)) {
            stream.reached(Long.toString(number));
        }
        stream.follow(
                terminal,
                () -> {
                    String since =
                            stream.revision().isEmpty()
                                    ? parameter("from", begin)
                                    : "from=" + stream.revision() + "&";
                    read(api, "/changes?" + since + filters + FOLLOWED, text, stream);
                });
    }

    private static void read(NodeApiClient api, String path, ChangeText text, ResumedStream stream)
            throws IOException, InterruptedException {
        try (BufferedReader lines = api.lines(path, "application/x-ndjson")) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode item = NodeApiClient.parse(line);
                String kind = item.path("kind").asText();
                if (kind.equals("Status")) {
                    throw ResumedStream.ended(item);
                }
                String revision = item.path("resourceVersion").asText();
                if (!kind.isEmpty()) { // A change has none; others only carry a revision.
                    stream.reached(revision);
                } else if (stream.isNew(revision, key(item.path("object")))) {
                    text.print(item);
                }
            }
        }
    }

    private static String key(JsonNode object) {
        return String.join(
                "/",
                object.path("resource").asText(),
                object.path("namespace").asText(),
                object.path("name").asText());
    }
}

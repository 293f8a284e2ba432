package io.tidemark.client.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.client.ApiException;
import io.tidemark.client.NodeApiClient;
import io.tidemark.client.OutputException;
import io.tidemark.client.ResourceArguments;
import io.tidemark.client.ResourceArguments.ResolvedTarget;
import io.tidemark.client.ServerOptions;
import io.tidemark.client.Terminal;
import io.tidemark.client.Terminal.Colour;
import io.tidemark.client.TimeArgument;
import io.tidemark.client.UsageException;
import io.tidemark.diff.Difference;
import io.tidemark.diff.FieldDiff;
import java.io.IOException;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark diff}: compares two states of one object or of all objects of a type. */
@Command(
        name = "diff",
        header = "Shows what changed between two revisions or times, field by field.",
        description = {
            "",
            "For one object, or all of a type: lists added and deleted objects, and the changed"
                    + " fields of",
            "the others, without metadata.managedFields and metadata.resourceVersion. Exit codes"
                    + " as of",
            "diff: 0 no difference, 1 differences, 2 failed.",
            "",
            "Examples:",
            "  tidemark diff deploy/storefront -n market --from -15m",
            "  tidemark diff pods -n harbour --from 14:03 --to 14:10",
            "  tidemark diff node/pier-1 --from 4711 --to 4790 --all",
            ""
        })
public final class DiffCommand implements Callable<Integer> {
    private static final int DIFFERS = 1;
    private static final int TROUBLE = 2;

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ResourceArguments target = new ResourceArguments();
    @Mixin private ServerOptions server = new ServerOptions();

    @Option(
            names = "--from",
            required = true,
            paramLabel = "R|TIME",
            description =
                    "The earlier state: a resourceVersion, or a time: " + TimeArgument.TIMES + ".")
    private String from = "";

    @Option(
            names = "--to",
            paramLabel = "R|TIME",
            description = "The later state, like --from (default: ${DEFAULT-VALUE}).")
    private String to = "now";

    @Option(
            names = "--all",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Also show metadata.managedFields and metadata.resourceVersion.")
    private boolean all;

    @Override
    public Integer call() throws InterruptedException {
        ZonedDateTime now = ZonedDateTime.now();
        TimeArgument before = TimeArgument.parse("--from", from, now);
        TimeArgument after = TimeArgument.parse("--to", to, now);
        Terminal terminal = server.terminal(spec);
        try (NodeApiClient api = server.api()) {
            ResolvedTarget found = target.find(api, after, before);
            Side old = side(api, earlier(api, found, before), before, from);
            Side current = side(api, found, after, to);
            boolean differs =
                    found.single()
                            ? one(terminal, found, old, current)
                            : many(terminal, found, old, current);
            return differs ? DIFFERS : 0;
        } catch (IOException | OutputException e) {
            terminal.remark(spec.qualifiedName() + ": " + e.getMessage());
            return TROUBLE;
        }
    }

    /** A type that the present does not have may have had another version then. */
    private ResolvedTarget earlier(NodeApiClient api, ResolvedTarget found, TimeArgument before)
            throws IOException, InterruptedException {
        if (!found.past()) {
            return found;
        }
        try {
            return target.find(api, before);
        } catch (UsageException _) {
            return found; // It did not exist then: nor did the objects.
        }
    }

    /**
     * One of the two states.
     *
     * @param title for the user
     * @param objects by namespace and name
     */
    private record Side(String title, TreeMap<String, JsonNode> objects) {}

    private static Side side(
            NodeApiClient api, ResolvedTarget found, TimeArgument moment, String argument)
            throws IOException, InterruptedException {
        TreeMap<String, JsonNode> objects = new TreeMap<>();
        String revision = "";
        try {
            String path = found.single() ? found.one(moment) : found.collection(moment);
            NodeApiClient.Answer answer = api.get(path, NodeApiClient.AS_JSON);
            JsonNode document = answer.json();
            String exact = found.single() ? answer.header("X-Tidemark-Revision") : "";
            String own = document.path("metadata").path("resourceVersion").asText();
            revision = exact.isEmpty() ? own : exact;
            Iterable<JsonNode> items = found.single() ? List.of(document) : document.path("items");
            items.forEach(object -> objects.put(key(object), object));
        } catch (ApiException e) {
            // The object does not exist at that moment, or a type that the present does not have.
            if (!e.isNotFound() || !(found.single() || found.past())) {
                throw e;
            }
        }
        String at = revision.isEmpty() ? "does not exist" : "revision " + revision;
        String title = argument.equals(revision) ? at : "%s (%s)".formatted(argument, at);
        return new Side(found.text() + "  " + title, objects);
    }

    private static String key(JsonNode object) {
        String namespace = object.path("metadata").path("namespace").asText();
        String name = object.path("metadata").path("name").asText();
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    private boolean one(Terminal terminal, ResolvedTarget found, Side old, Side current)
            throws ApiException {
        if (old.objects().isEmpty() && current.objects().isEmpty()) {
            throw new ApiException(404, found.text() + " exists in neither state");
        }
        JsonNode nothing = NodeApiClient.JSON.createObjectNode();
        JsonNode before = old.objects().isEmpty() ? nothing : old.objects().firstEntry().getValue();
        JsonNode after =
                current.objects().isEmpty() ? nothing : current.objects().firstEntry().getValue();
        List<Difference> differences = FieldDiff.between(before, after, all);
        if (!differences.isEmpty()) {
            head(terminal, old, current);
            DiffText.print(terminal, differences, "");
        }
        return !differences.isEmpty();
    }

    private boolean many(Terminal terminal, ResolvedTarget found, Side old, Side current) {
        Set<String> keys = new TreeSet<>(old.objects().keySet());
        keys.addAll(current.objects().keySet());
        String prefix = found.type().qualified() + " ";
        boolean headed = false;
        for (String key : keys) {
            @Nullable JsonNode before = old.objects().get(key);
            @Nullable JsonNode after = current.objects().get(key);
            List<Difference> differences =
                    before == null || after == null
                            ? List.of()
                            : FieldDiff.between(before, after, all);
            if (before != null && after != null && differences.isEmpty()) {
                continue;
            }
            if (!headed) {
                head(terminal, old, current);
                headed = true;
            }
            if (before == null) {
                terminal.line(Colour.ADDED, "+ " + prefix + key);
            } else if (after == null) {
                terminal.line(Colour.DELETED, "- " + prefix + key);
            } else {
                terminal.line(Colour.MODIFIED, "~ " + prefix + key);
                DiffText.print(terminal, differences, "    ");
            }
        }
        return headed;
    }

    private static void head(Terminal terminal, Side old, Side current) {
        terminal.line(Colour.HEAD, "--- " + old.title());
        terminal.line(Colour.HEAD, "+++ " + current.title());
    }
}

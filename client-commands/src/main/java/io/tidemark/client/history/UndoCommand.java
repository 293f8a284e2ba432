package io.tidemark.client.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.client.ApiException;
import io.tidemark.client.NodeApiClient;
import io.tidemark.client.ResourceArguments;
import io.tidemark.client.ResourceArguments.ResolvedTarget;
import io.tidemark.client.ServerOptions;
import io.tidemark.client.Terminal;
import io.tidemark.client.TimeArgument;
import io.tidemark.client.UsageException;
import io.tidemark.diff.Difference;
import io.tidemark.diff.FieldDiff;
import java.io.IOException;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark undo}: prints what would bring an object back to an earlier state. */
@Command(
        name = "undo",
        header = "Prints the YAML that would bring an object back to an earlier state.",
        description = {
            "",
            "Changes nothing: the object as it was, without its status and without what an API"
                    + " server sets,",
            "goes to standard output, the differences that it undoes to standard error."
                    + " 'kubectl replace -f -'",
            "restores exactly this, 'kubectl apply -f -' keeps fields that others have added. For"
                    + " an object that",
            "has been deleted it is 'kubectl create -f -'.",
            "",
            "Examples:",
            "  tidemark undo deploy/storefront -n market --to -10m",
            "  tidemark undo configmap/flags -n market --to 14:03 | kubectl replace -f -",
            ""
        })
public final class UndoCommand implements Callable<Integer> {
    /** What an API server sets, and what must not be sent back to it. */
    private static final List<String> SET_BY_SERVER =
            List.of(
                    "creationTimestamp",
                    "deletionGracePeriodSeconds",
                    "deletionTimestamp",
                    "generation",
                    "managedFields",
                    "resourceVersion",
                    "selfLink",
                    "uid");

    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ResourceArguments target = new ResourceArguments();
    @Mixin private ServerOptions server = new ServerOptions();

    @Option(
            names = "--to",
            required = true,
            paramLabel = "R|TIME",
            description =
                    "The state to go back to: a resourceVersion, or a time: "
                            + TimeArgument.TIMES
                            + ".")
    private String to = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        TimeArgument moment = TimeArgument.parse("--to", to, ZonedDateTime.now());
        Terminal terminal = server.terminal(spec);
        try (NodeApiClient api = server.api()) {
            ResolvedTarget found = target.find(api, moment);
            if (!found.single()) {
                throw new UsageException(
                        "undo needs one object, such as %s/NAME"
                                .formatted(found.type().qualified()));
            }
            Optional<ObjectNode> then = object(api, found, moment);
            Optional<ObjectNode> now = object(api, found, new TimeArgument.Now());
            print(terminal, found, then, now);
        }
        return 0;
    }

    private static Optional<ObjectNode> object(
            NodeApiClient api, ResolvedTarget found, TimeArgument moment)
            throws IOException, InterruptedException {
        try {
            JsonNode object = api.get(found.one(moment), NodeApiClient.AS_JSON).json();
            return object instanceof ObjectNode known
                    ? Optional.of(restorable(known))
                    : Optional.empty();
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** What a client would send to have the object as it is. */
    static ObjectNode restorable(ObjectNode object) {
        object.remove("status");
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(SET_BY_SERVER);
        }
        RedactedFields.dropLastApplied(object);
        return object;
    }

    private void print(
            Terminal terminal,
            ResolvedTarget found,
            Optional<ObjectNode> then,
            Optional<ObjectNode> now)
            throws IOException {
        if (then.isEmpty()) {
            if (now.isEmpty()) {
                throw new ApiException(404, found.text() + " exists neither then nor now");
            }
            terminal.remark(
                    found.text() + " did not exist at " + to + ": deleting it would undo that");
            return;
        }
        ObjectNode nothing = NodeApiClient.JSON.createObjectNode();
        List<Difference> undone = FieldDiff.between(now.orElse(nothing), then.get(), false);
        List<String> redacted = RedactedFields.of(then.get());
        if (undone.isEmpty() && redacted.isEmpty()) {
            terminal.remark("nothing to undo: " + found.text() + " is as it was at " + to);
            return;
        }
        if (now.isEmpty()) {
            terminal.remark(
                    found.text()
                            + " does not exist any more: 'kubectl create -f -' would create it");
        } else {
            undone.forEach(each ->
                    terminal.remark(
                            "%s: %s → %s"
                                    .formatted(
                                            each.path(),
                                            each.before() == null ? "none" : each.before(),
                                            each.after() == null ? "none" : each.after())));
        }
        if (!redacted.isEmpty()) {
            throw new IOException(
                    "%s has redacted values, which would replace the real ones: %s. Nothing is"
                                    .formatted(found.text(), String.join(", ", redacted))
                            + " printed: make the changes by hand, such as with 'kubectl edit'");
        }
        terminal.document(
                new YAMLMapper()
                        .disable(YAMLGenerator.Feature.SPLIT_LINES)
                        .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                        .writeValueAsString(then.get()));
    }
}

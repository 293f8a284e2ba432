package io.tidemark.client;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark kubeconfig}: a kubeconfig for the present, a moment or a replay. */
@Command(
        name = "kubeconfig",
        header = "Prints a kubeconfig for this node, for now or for a moment of the past.",
        description = {
            "",
            "With --at, every client that uses it sees the cluster as it was then. A time before"
                    + " now is",
            "written as a fixed time, so that all requests agree. With --replay, watches get the"
                    + " history from",
            "then on.",
            "",
            "Examples:",
            "  tidemark kubeconfig --at -10m > then && KUBECONFIG=then k9s",
            "  tidemark kubeconfig --replay -1h --speed 10 > replay",
            ""
        })
public final class KubeconfigCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private ServerOptions server = new ServerOptions();

    @Option(
            names = "--at",
            paramLabel = "R|TIME",
            description =
                    "The state as of a resourceVersion or a time: " + TimeArgument.TIMES + ".")
    private String at = "";

    @Option(
            names = "--replay",
            paramLabel = "R|TIME",
            description = "The history from a resourceVersion or a time on.")
    private String replay = "";

    @Option(
            names = "--speed",
            paramLabel = "FACTOR",
            description =
                    "How much faster than it happened a replay passes: 0.01 to 10000 (default:"
                            + " ${DEFAULT-VALUE}).")
    private double speed = 1;

    @Override
    public Integer call() {
        if (!at.isEmpty() && !replay.isEmpty()) {
            throw new UsageException("give --at or --replay, not both");
        }
        if (replay.isEmpty() && spec.commandLine().getParseResult().hasMatchedOption("--speed")) {
            throw new UsageException("--speed needs --replay R|TIME");
        }
        if (!(speed >= 0.01 && speed <= 10_000)) { // Also NaN.
            throw new UsageException("--speed: a factor from 0.01 to 10000");
        }
        server.terminal(spec).document(server.kubeconfig(path()));
        return 0;
    }

    private String path() {
        if (!at.isEmpty()) {
            return "/at/" + moment("--at", at);
        }
        if (replay.isEmpty()) {
            return "";
        }
        String pace = speed == 1 ? "" : "@" + (speed == (long) speed ? "" + (long) speed : speed);
        return "/replay/" + moment("--replay", replay) + pace;
    }

    private static String moment(String option, String text) {
        return switch (TimeArgument.parse(option, text, ZonedDateTime.now())) {
            case TimeArgument.Now _ -> fixed(Instant.now());
            case TimeArgument.Revision(long number) -> Long.toString(number);
            case TimeArgument.Time(Instant instant) -> fixed(instant);
        };
    }

    private static String fixed(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}

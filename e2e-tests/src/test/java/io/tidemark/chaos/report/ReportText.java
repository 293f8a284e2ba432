package io.tidemark.chaos.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tidemark.simulation.promise.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes a report for people, as Markdown that reads well in a terminal too, and for programs. */
public final class ReportText {
    private static final int SHOWN = 30;
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ReportText() {}

    public static String markdown(ChaosReport report) {
        StringBuilder text = new StringBuilder("# Chaos run\n\n");
        text.append(
                """
                %s after %d min %02d s, seed %d.

                - %d writes acknowledged, %d without an answer
                - %d watchers got %d events, reconnected %d times; %d times 410, and %d times rightly
                - %d reads were judged; the slowest took %d ms
                - availability of LIST and GET: %s with one retry, %s without (%d requests)

                """
                        .formatted(
                                report.passed() ? "All promises kept" : "PROMISES BROKEN",
                                report.seconds() / 60,
                                report.seconds() % 60,
                                report.seed(),
                                report.writes(),
                                report.writesFailed(),
                                report.watchers(),
                                report.events(),
                                report.reconnects(),
                                report.gone(),
                                report.tooOld(),
                                report.readsJudged(),
                                report.slowestReadMillis(),
                                percent(report.reads().withRetry()),
                                percent(report.reads().withoutRetry()),
                                report.reads().requests()));
        text.append(table(report));
        if (!report.readsFailed().isEmpty()) {
            text.append("\nWhy reads failed, both attempts:\n\n");
            new TreeMap<>(report.readsFailed())
                    .forEach((why, count) -> text.append("- %d: %s%n".formatted(count, why)));
        }
        violations(text, report.violations());
        return text.toString();
    }

    private static String table(ChaosReport report) {
        StringBuilder text = new StringBuilder();
        String row = "| %-40s | %5s | %15s | %17s | %17s | %7s | %17s | %14s |\n";
        text.append(
                row.formatted(
                        "fault, median / longest in ms",
                        "count",
                        "held",
                        "pause, own node",
                        "pause, others",
                        "allowed",
                        "healthy again",
                        "reads failed"));
        text.append("|---|---|---|---|---|---|---|---|\n");
        for (FaultSummary fault : FaultSummary.all(report.faults())) {
            text.append(
                    row.formatted(
                            fault.kind().title(),
                            fault.count(),
                            spread(fault.held()),
                            spread(fault.pauseHit()),
                            spread(fault.pauseOthers()),
                            fault.kind().allowedPause().toMillis(),
                            spread(fault.recovery()),
                            fault.failed() + " of " + fault.reads()));
        }
        return text.toString();
    }

    private static String spread(FaultSummary.Spread spread) {
        return spread.longest() == 0 ? "-" : spread.median() + " / " + spread.longest();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.3f %%", share * 100);
    }

    private static void violations(StringBuilder text, List<Violation> violations) {
        text.append("\n").append(violations.size()).append(" violations\n");
        violations.stream()
                .collect(
                        Collectors.groupingBy(
                                Violation::promise, TreeMap::new, Collectors.counting()))
                .forEach((promise, count) -> text.append("%s: %d%n".formatted(promise, count)));
        violations.stream()
                .limit(SHOWN)
                .forEach(each -> text.append("- ").append(each).append('\n'));
        if (violations.size() > SHOWN) {
            text.append("- and more\n");
        }
    }

    /** Writes {@code report.md} and {@code report.json}. */
    public static void write(ChaosReport report, Path folder) throws IOException {
        Files.writeString(folder.resolve("report.md"), markdown(report));
        JSON.writeValue(
                folder.resolve("report.json").toFile(),
                Map.of(
                        "passed", report.passed(),
                        "kinds", FaultSummary.all(report.faults()),
                        "report", report));
    }
}

package io.tidemark.golden;

import io.tidemark.golden.comparison.Deviations;
import io.tidemark.golden.comparison.Outcome;
import io.tidemark.golden.comparison.Outcome.Verdict;
import io.tidemark.golden.recording.GoldenRecordings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes {@code target/golden/FILE.txt}: the counts by category, and the differences. */
final class Report {
    private static final int ROWS_PER_CATEGORY = 40;
    private static final int LINES_PER_ROW = 8;

    private final String file;
    private final List<Outcome> outcomes;

    /** Names of deviations that no row needed. */
    private final List<String> unmet;

    private Report(String file, List<Outcome> outcomes, List<String> unmet) {
        this.file = file;
        this.outcomes = outcomes;
        this.unmet = unmet;
    }

    /** The report on one file, which it also writes to {@code target/golden}. */
    static Report written(String file, List<Outcome> outcomes, Deviations deviations)
            throws IOException {
        Report report = new Report(file, outcomes, deviations.unused(file));
        report.write();
        return report;
    }

    /** The failures, each in a line or more; empty when there are none. */
    List<String> failures(GoldenRecordings recordings) {
        List<String> failures =
                outcomes.stream()
                        .filter(each -> each.verdict() == Verdict.DIFFERS)
                        .map(Report::shown)
                        .collect(Collectors.toCollection(ArrayList::new));
        if (recordings.areStandard()) {
            unmet.forEach(name -> failures.add("deviation that no row needs: " + name));
        }
        return failures;
    }

    private void write() throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "golden"));
        Files.write(folder.resolve(file + ".txt"), lines());
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(file + ": " + counts(outcomes));
        lines.add("");
        Map<String, List<Outcome>> categories =
                outcomes.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Outcome::category, TreeMap::new, Collectors.toList()));
        categories.forEach(
                (category, rows) -> lines.add("%-28s %s".formatted(category, counts(rows))));
        lines.add("");
        lines.add("rows that needed a deviation");
        count(Verdict.DEVIATES)
                .forEach((name, count) -> lines.add("%6d %s".formatted(count, name)));
        unmet.forEach(name -> lines.add("     0 " + name));
        lines.add("");
        lines.add("rows that match a deviation and equal the recording all the same");
        count(Verdict.SAME).forEach((name, count) -> lines.add("%6d %s".formatted(count, name)));
        categories.forEach((category, rows) -> differences(category, rows, lines));
        return lines;
    }

    private static String counts(List<Outcome> outcomes) {
        Map<Verdict, Long> counts =
                outcomes.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Outcome::verdict,
                                        () -> new EnumMap<>(Verdict.class),
                                        Collectors.counting()));
        return "%d rows, %d the same, %d deviate, %d differ"
                .formatted(
                        outcomes.size(),
                        counts.getOrDefault(Verdict.SAME, 0L),
                        counts.getOrDefault(Verdict.DEVIATES, 0L),
                        counts.getOrDefault(Verdict.DIFFERS, 0L));
    }

    private Map<String, Long> count(Verdict verdict) {
        return outcomes.stream()
                .filter(each -> each.verdict() == verdict)
                .flatMap(each -> each.deviations().stream())
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }

    private static void differences(String category, List<Outcome> rows, List<String> lines) {
        List<Outcome> differing =
                rows.stream().filter(each -> each.verdict() == Verdict.DIFFERS).toList();
        if (differing.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add("## " + category + ": " + differing.size() + " differ");
        differing.stream().limit(ROWS_PER_CATEGORY).map(Report::shown).forEach(lines::add);
    }

    private static String shown(Outcome outcome) {
        StringBuilder text = new StringBuilder(outcome.row());
        if (!outcome.deviations().isEmpty()) {
            text.append("  (deviations ").append(outcome.deviations()).append(')');
        }
        outcome.differences().stream()
                .limit(LINES_PER_ROW)
                .forEach(line -> text.append("\n      ").append(line));
        int more = outcome.differences().size() - LINES_PER_ROW;
        return more <= 0
                ? text.toString()
                : text.append("\n      and ").append(more).append(" more").toString();
    }
}

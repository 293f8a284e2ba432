package io.tidemark.golden.comparison;

import io.tidemark.golden.comparison.Outcome.Verdict;
import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.RawRequest;
import java.io.IOException;
import java.util.List;

/** Checks whether an answer is the recorded one, or deviates from it as declared. */
public final class AnswerVerifier {
    private final Deviations deviations;

    public AnswerVerifier(Deviations deviations) {
        this.deviations = deviations;
    }

    /** What was recorded about one row. */
    public record Row(
            String category,
            String shown,
            RowProperties facts,
            RawRequest asked,
            Expected expected) {
        /** There is no answer, or it is wrong in a way that no comparison sees. */
        public Outcome failed(String how) {
            return new Outcome(category, shown, Verdict.DIFFERS, List.of(), List.of(how));
        }
    }

    /** Fetches the answer to another request, which a deviation compares with. */
    @FunctionalInterface
    public interface OtherRequest {
        Answer answer(RawRequest asked) throws IOException;
    }

    public Outcome judged(Row row, Answer answer, OtherRequest other) throws IOException {
        boolean bodySent = !row.asked().method().equals("HEAD");
        List<Deviation> about = deviations.about(row.facts());
        List<String> differences = Comparison.between(row.expected(), answer, bodySent);
        if (differences.isEmpty()) {
            return outcome(row, Verdict.SAME, about, differences);
        }
        Expected expected = row.expected();
        for (Deviation deviation : about) {
            if (deviation.companion().isPresent()) {
                differences = deviation.companion().get().differences(row, answer, other);
                return outcome(row, about, differences);
            }
            expected = deviation.applied(expected, answer);
        }
        return outcome(row, about, Comparison.between(expected, answer, bodySent));
    }

    private Outcome outcome(Row row, List<Deviation> about, List<String> differences) {
        if (!differences.isEmpty()) {
            return outcome(row, Verdict.DIFFERS, about, differences);
        }
        deviations.markUsed(about);
        return outcome(row, Verdict.DEVIATES, about, differences);
    }

    private static Outcome outcome(
            Row row, Verdict verdict, List<Deviation> about, List<String> differences) {
        List<String> names = about.stream().map(Deviation::name).toList();
        return new Outcome(row.category(), row.shown(), verdict, names, differences);
    }
}

package io.tidemark.golden.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.RawRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The other request whose answer must agree with a deviating one. */
public sealed interface CrossCheck {
    /** The other request; empty where there is none for such a row. */
    Optional<RawRequest> asked(AnswerVerifier.Row row);

    /** The differences of the two answers; empty when they agree. */
    List<String> differences(Answer answer, Answer other, AnswerVerifier.Row row);

    /** The same, with the other request sent now. */
    default List<String> differences(
            AnswerVerifier.Row row, Answer answer, AnswerVerifier.OtherRequest other)
            throws IOException {
        Optional<RawRequest> asked = asked(row);
        return asked.isEmpty()
                ? List.of("nothing to compare with")
                : differences(answer, other.answer(asked.get()), row);
    }

    static Optional<CrossCheck> of(JsonNode companion) {
        if (companion.has("accept")) {
            return Optional.of(new OtherRepresentation(companion.path("accept").asText()));
        }
        return companion.path("keptHistory").asBoolean()
                ? Optional.of(new KeptHistory())
                : Optional.empty();
    }

    /** The same request for another representation, which must get the same answer. */
    record OtherRepresentation(String accept) implements CrossCheck {
        @Override
        public Optional<RawRequest> asked(AnswerVerifier.Row row) {
            return Optional.of(row.asked().withHeader("Accept", accept));
        }

        @Override
        public List<String> differences(Answer answer, Answer other, AnswerVerifier.Row row) {
            List<String> found = new ArrayList<>();
            if (answer.status() != other.status()) {
                found.add("status %d, not %d".formatted(answer.status(), other.status()));
            }
            found.addAll(Comparison.ofHeaders(other.headers(), answer.headers()));
            found.addAll(
                    EventComparison.between(
                            EventComparison.parsed(other.body()),
                            EventComparison.parsed(answer.body())));
            return found;
        }
    }

    /**
     * The recorded server had compacted the revision that a watch requested, Tidemark has not. Then
     * its stream must be, after the events of compacted revisions in order, exactly the stream that
     * begins at the recorded server's oldest revision.
     */
    record KeptHistory() implements CrossCheck {
        private static final Pattern FORGOTTEN =
                Pattern.compile("too old resource version: (\\d+) \\((\\d+)\\)");
        private static final Pattern ASKED = Pattern.compile("(?<=[?&]resourceVersion=)\\d+");

        @Override
        public Optional<RawRequest> asked(AnswerVerifier.Row row) {
            Matcher forgotten = FORGOTTEN.matcher(row.facts().get("body"));
            return forgotten.find()
                    ? Optional.of(
                            row.asked()
                                    .withTarget(
                                            ASKED.matcher(row.asked().target())
                                                    .replaceFirst(forgotten.group(2))))
                    : Optional.empty();
        }

        @Override
        public List<String> differences(Answer answer, Answer other, AnswerVerifier.Row row) {
            Matcher forgotten = FORGOTTEN.matcher(row.facts().get("body"));
            if (!forgotten.find()) {
                return List.of("no compacted revision");
            }
            long last = Long.parseLong(forgotten.group(1));
            long floor = Long.parseLong(forgotten.group(2));
            List<String> found = new ArrayList<>();
            List<JsonNode> later = new ArrayList<>();
            for (JsonNode event :
                    EventComparison.withoutBookmarks(EventComparison.parsed(answer.body()))) {
                long revision = event.at("/object/metadata/resourceVersion").asLong();
                if (revision <= last) {
                    found.add("revision %d after %d".formatted(revision, last));
                }
                last = revision;
                if (revision > floor) {
                    later.add(event);
                }
            }
            found.addAll(Comparison.ofHeaders(other.headers(), answer.headers()));
            found.addAll(EventComparison.between(EventComparison.parsed(other.body()), later));
            return found;
        }
    }
}

package io.tidemark.golden;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.golden.comparison.AnswerVerifier;
import io.tidemark.golden.comparison.EventComparison;
import io.tidemark.golden.comparison.Expected;
import io.tidemark.golden.comparison.RowProperties;
import io.tidemark.golden.recording.Content;
import io.tidemark.golden.recording.GoldenRecordings;
import io.tidemark.golden.recording.ProtobufJson;
import io.tidemark.golden.recording.RawRequest;
import io.tidemark.record.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Watches that were open while a cluster changed, in rounds, and the changes.
 *
 * @param rounds in the order of their time
 */
record RecordedWatches(List<Round> rounds) {
    /** How far the clocks of changes and of watches were apart at most, in milliseconds. */
    private static final long CLOCKS = 500;

    /**
     * A watch. All times are milliseconds since the recording began.
     *
     * @param sent what is asked in the replay
     */
    record Watch(
            String id,
            String round,
            String category,
            long opened,
            RawRequest asked,
            RawRequest sent,
            Expected expected,
            long headersAt,
            long endAt,
            boolean endedByServer) {
        private static final Pattern TIMEOUT = Pattern.compile("timeoutSeconds=([1-9]\\d*)");

        /**
         * A watch that ended at its timeout, after all changes: the client ends it, so that a slow
         * machine has the time that it needs for the changes.
         */
        Watch withoutTimeout(long changedUntil) {
            Matcher timeout = TIMEOUT.matcher(asked.target());
            return endedByServer
                            && endAt > changedUntil + CLOCKS
                            && timeout.find()
                            && endAt - opened >= Long.parseLong(timeout.group(1)) * 1_000 - CLOCKS
                    ? new Watch(
                            id,
                            round,
                            category,
                            opened,
                            asked,
                            lasting(asked),
                            expected,
                            headersAt,
                            endAt,
                            false)
                    : this;
        }

        private static RawRequest lasting(RawRequest request) {
            return request.withTarget(
                    TIMEOUT.matcher(request.target()).replaceFirst("timeoutSeconds=300"));
        }

        /**
         * What a watch had received before a revision existed.
         *
         * @param time of that revision
         */
        WatchProgress before(long revision, long time) {
            long events =
                    expected.content() instanceof Content.Events(List<JsonNode> values)
                            ? EventComparison.withoutBookmarks(values).stream()
                                    .filter(event -> EventComparison.isOlder(event, revision))
                                    .count()
                            : 0;
            return new WatchProgress(headersAt + CLOCKS < time, events, endAt + CLOCKS < time);
        }

        AnswerVerifier.Row row() {
            String shown =
                    "%s %s %s [%s]"
                            .formatted(
                                    id,
                                    round,
                                    asked.target(),
                                    asked.headers().getOrDefault("Accept", ""));
            String body = expected.content().shown();
            return new AnswerVerifier.Row(
                    round + " " + category,
                    shown,
                    RowProperties.of("watch", category, asked, expected.status(), body)
                            .with("round", round),
                    asked,
                    expected);
        }

        Watch asking(RawRequest other) {
            return new Watch(
                    id,
                    round,
                    category,
                    opened,
                    other,
                    endedByServer ? other : lasting(other),
                    expected,
                    headersAt,
                    endAt,
                    endedByServer);
        }
    }

    /**
     * A watch's progress.
     *
     * @param events how many that count
     */
    record WatchProgress(boolean headers, long events, boolean end) {}

    /** A change of etcd. */
    sealed interface Step {
        /** Must get this revision; without a value it is a deletion. */
        record Write(String key, Optional<Bytes> value, long revision) implements Step {}

        record Compact(long revision) implements Step {}
    }

    /**
     * Watches that were opened together.
     *
     * @param before changes since the round before, or since the beginning
     * @param during changes while they were open
     * @param changedAt when those began; far in the future when there were none
     */
    record Round(
            String name,
            List<Step> before,
            List<Watch> watches,
            List<Step> during,
            long changedAt) {
        /** Of the first change while they were open. */
        long firstRevision() {
            return during.stream()
                    .filter(Step.Write.class::isInstance)
                    .mapToLong(step -> ((Step.Write) step).revision())
                    .min()
                    .orElse(Long.MAX_VALUE);
        }
    }

    static RecordedWatches of(GoldenRecordings.Rows rows) {
        Map<String, List<Watch>> byRound = new LinkedHashMap<>();
        List<JsonNode> steps = new ArrayList<>();
        for (JsonNode row : rows.rows()) {
            if (row.has("round")) {
                Watch watch = watch(row);
                byRound.computeIfAbsent(watch.round(), _ -> new ArrayList<>()).add(watch);
            } else if (row.has("step")) {
                steps.add(row.path("step"));
            }
        }
        List<Round> rounds = new ArrayList<>();
        List<String> names = List.copyOf(byRound.keySet());
        long from = Long.MIN_VALUE;
        for (int i = 0; i < names.size(); i++) {
            List<Watch> watches = byRound.getOrDefault(names.get(i), List.of());
            long opened = opened(watches);
            long until =
                    i == names.size() - 1
                            ? Long.MAX_VALUE
                            : opened(byRound.getOrDefault(names.get(i + 1), List.of()));
            rounds.add(round(names.get(i), watches, steps, from, opened, until));
            from = Math.max(opened, until);
        }
        return new RecordedWatches(rounds);
    }

    /**
     * Watches of a cluster that did not change, as one round.
     *
     * @param rows of watches only
     */
    static RecordedWatches ofUnchanged(GoldenRecordings.Rows rows) {
        List<Watch> watches = rows.rows().stream().map(RecordedWatches::watch).toList();
        return new RecordedWatches(
                List.of(new Round("all", List.of(), watches, List.of(), Long.MAX_VALUE)));
    }

    private static long opened(List<Watch> watches) {
        return watches.stream().mapToLong(Watch::opened).min().orElseThrow();
    }

    private static Round round(
            String name,
            List<Watch> watches,
            List<JsonNode> steps,
            long from,
            long opened,
            long until) {
        List<Step> before = new ArrayList<>();
        List<Step> during = new ArrayList<>();
        long changedAt = Long.MAX_VALUE;
        long changedUntil = Long.MIN_VALUE;
        for (JsonNode step : steps) {
            boolean timeless = !step.has("t");
            long at = step.path("t").asLong();
            if (timeless ? step.path("phase").asText().equals(name) : at >= from && at < opened) {
                before.add(step(step));
            } else if (!timeless && at >= opened && at < until) {
                during.add(step(step));
                changedAt = Math.min(changedAt, at);
                changedUntil = Math.max(changedUntil, at);
            }
        }
        long last = changedUntil;
        return new Round(
                name,
                before,
                during.isEmpty()
                        ? watches
                        : watches.stream().map(watch -> watch.withoutTimeout(last)).toList(),
                during,
                changedAt);
    }

    private static Step step(JsonNode step) {
        if (step.path("op").asText().equals("compact")) {
            return new Step.Compact(step.path("revision").asLong());
        }
        Optional<Bytes> value =
                step.has("valueBase64")
                        ? Optional.of(
                                Bytes.wrap(
                                        Base64.getDecoder()
                                                .decode(step.path("valueBase64").asText())))
                        : Optional.empty();
        return new Step.Write(step.path("key").asText(), value, step.path("modRevision").asLong());
    }

    private static Watch watch(JsonNode row) {
        long opened = row.path("openedT").asLong();
        JsonNode response = row.path("response");
        RawRequest asked = RawRequest.of(row.path("request"));
        return new Watch(
                row.path("id").asText(),
                row.path("round").asText(),
                row.path("category").asText(),
                opened,
                asked,
                asked,
                new Expected(
                        response.path("status").asInt(),
                        RecordedRequest.headers(response.path("headers")),
                        content(response, row.path("lines"))),
                opened + response.path("headersT").asLong(),
                opened + row.path("end").path("t").asLong(),
                row.path("end").path("kind").asText().equals("eof"));
    }

    private static Content content(JsonNode response, JsonNode lines) {
        List<JsonNode> events = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (JsonNode line : lines) {
            if (line.has("json")) {
                events.add(line.path("json"));
            } else if (line.has("text")) {
                text.append(line.path("text").asText());
            } else {
                bytes.writeBytes(Base64.getDecoder().decode(line.path("base64").asText()));
            }
        }
        String type = response.path("headers").path("content-type").asText();
        if (!text.isEmpty()) {
            return new Content.Text(text.toString());
        }
        if (type.startsWith(ProtobufJson.MEDIA_TYPE) && response.path("status").asInt() == 200) {
            return new Content.Events(ProtobufJson.events(bytes.toByteArray()));
        }
        if (bytes.size() > 0 || type.contains("protobuf")) {
            return new Content.Binary(bytes.toByteArray());
        }
        return events.size() == 1 && !events.getFirst().has("type")
                ? new Content.Json(events.getFirst(), true)
                : new Content.Events(events);
    }
}

package io.tidemark.simulation.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.compress.ContentCoding;
import io.tidemark.query.compress.StreamCoding;
import io.tidemark.query.watch.CodedSink;
import io.tidemark.query.watch.EventSink;
import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.ModelState;
import io.tidemark.simulation.model.Received;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines that a node sends to one watch, read as a client reads them. */
final class WatchLines implements EventSink {
    private static final Pattern REPLACED =
            Pattern.compile("another revision history \\(epoch (\\d+)\\) has begun");
    private static final Pattern FLOOR =
            Pattern.compile("too old resource version: \\d+ \\((\\d+)\\)");

    /** What one line says. */
    sealed interface Line {
        record Event(Received.Event event) implements Line {}

        /**
         * @param endsInitial whether the initial events are complete
         */
        record Bookmark(long revision, boolean endsInitial) implements Line {}

        /**
         * The watch has failed.
         *
         * @param isCutShort whether a 410 ended it inside a revision
         * @param floor of a 410 for a compacted position, else 0
         * @param newEpoch of a 410 for a replaced history, else 0
         */
        record Failure(int code, boolean isCutShort, long floor, long newEpoch) implements Line {}
    }

    private final ClientScope scope;
    private final Supplier<ModelState> newest;
    private final StreamCoding coding;
    private final Optional<PieceReader> reader;
    private final List<SentLine> lines = new ArrayList<>();

    private record SentLine(byte[] line, ModelState sentAt) {}

    /**
     * A line that has arrived.
     *
     * @param sentAt etcd's state when it was sent
     */
    record Arrived(Line line, ModelState sentAt) {}

    /**
     * @param newest etcd's state
     */
    WatchLines(ClientScope scope, Supplier<ModelState> newest) {
        this(scope, newest, StreamCoding.PLAIN);
    }

    /**
     * @param newest etcd's state
     * @param coding of the lines
     */
    WatchLines(ClientScope scope, Supplier<ModelState> newest, StreamCoding coding) {
        this.scope = scope;
        this.newest = newest;
        this.coding = coding;
        this.reader = PieceReader.of(coding, scope.form());
    }

    ContentCoding coding() {
        return coding.coding();
    }

    @Override
    public void send(byte[] sent) {
        reader.map(each -> each.lines(sent))
                .orElseGet(() -> List.of(sent))
                .forEach(line -> lines.add(new SentLine(line, newest.get())));
    }

    /** The sink for lines that no other watch gets. */
    EventSink own() {
        return reader.isPresent() ? new CodedSink(this, coding, true) : this;
    }

    /** The response ends in order. */
    void end() {
        reader.ifPresent(each -> each.end(coding.end()));
    }

    /** The response is over, in order or not. */
    void close() {
        reader.ifPresent(PieceReader::close);
    }

    @Override
    public void flush() {}

    /** Forgets the lines that have not been taken. */
    void drop() {
        lines.clear();
    }

    /** Forgets them but the last. */
    void dropAllButLast() {
        lines.subList(0, Math.max(0, lines.size() - 1)).clear();
    }

    /** Takes the lines that came since the last call. */
    List<Arrived> take(long history) {
        List<Arrived> taken =
                lines.stream()
                        .map(sent ->
                                new Arrived(
                                        read(WireObject.event(sent.line(), scope.form()), history),
                                        sent.sentAt()))
                        .toList();
        lines.clear();
        return taken;
    }

    /** Reads a line, or an event of a long poll's document. */
    Line read(JsonNode document, long history) {
        String type = document.path("type").asText();
        JsonNode object = document.path("object");
        return switch (type) {
            case "BOOKMARK" -> {
                JsonNode metadata = shown(object).path("metadata");
                boolean endsInitial =
                        metadata.path("annotations")
                                .path("k8s.io/initial-events-end")
                                .asText()
                                .equals("true");
                yield new Line.Bookmark(metadata.path("resourceVersion").asLong(), endsInitial);
            }
            case "ERROR" -> {
                String message = object.path("message").asText();
                yield new Line.Failure(
                        object.path("code").asInt(),
                        message.contains("ended inside revision"),
                        number(FLOOR, message),
                        number(REPLACED, message));
            }
            default -> {
                EventType change = EventType.valueOf(type);
                boolean deleted = change == EventType.DELETED;
                JsonNode row = isTable() ? object.path("rows").path(0) : object;
                Item item = WireObject.item(row, scope, deleted);
                yield new Line.Event(
                        new Received.Event(
                                history, change, item.revision(), item.key(), item.shown()));
            }
        };
    }

    private boolean isTable() {
        return scope.form() == ClientForm.TABLE;
    }

    /** Of a Table, the object of its one row. */
    private JsonNode shown(JsonNode object) {
        return isTable() ? object.path("rows").path(0).path("object") : object;
    }

    private static long number(Pattern pattern, String message) {
        Matcher found = pattern.matcher(message);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
}

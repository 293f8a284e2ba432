package io.tidemark.query.watch;

import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EventEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A long poll below its connection: turns the first events of a watch into one JSON document, which
 * always ends between two revisions. The caller waits for the steps. For one thread.
 */
public final class LongPoll {
    /** Wait per step for the rest of a revision. */
    public static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final EventEncoder form;
    private final long after;
    private final long mostBytes;
    private final LongConsumer memory;
    private final OutputStream out;
    private boolean begun;

    /** The revision that the client continues after. */
    private long through;

    private long sent;

    /**
     * @param after the revision that the watch begins after
     * @param mostBytes a document ends at a whole revision once it has as many bytes; a single
     *     revision may be larger
     * @param memory is called with the number of bytes before each event of the first step; it
     *     refuses by an exception
     */
    public LongPoll(
            EventEncoder form, long after, long mostBytes, LongConsumer memory, OutputStream out) {
        this.form = form;
        this.after = after;
        this.mostBytes = mostBytes;
        this.memory = memory;
        this.out = out;
    }

    /** The state whose revision a poll begins after, unless it names a revision itself. */
    public static RequestedState state(String resourceVersion) {
        return resourceVersion.isEmpty() ? new RequestedState.Latest() : new RequestedState.Any();
    }

    /**
     * The revision that a poll begins after.
     *
     * @param asked the number of {@code resourceVersion}; 0 for none
     */
    public static long start(long asked, ReadPoint at) {
        return asked == 0 ? at.revision() : asked;
    }

    /** How many events have been written. */
    public long sent() {
        return sent;
    }

    /**
     * The revision that the rules must be known as of, and allow, before the client gets the first
     * step. The following ones are of the same revision.
     *
     * @param from the revision that the client knows: that nothing follows it yet is not told, and
     *     the rules of a future one are not known
     */
    public static long tells(Step first, long from) {
        return switch (first) {
            case Step.Events events -> events.through().revision();
            case Step.NoEvents quiet ->
                    quiet.throughRevision() > from ? quiet.throughRevision() : 0;
            case Step.Ended _ -> 0;
        };
    }

    /**
     * Writes what a step of the cursor returned. The first step determines where the document ends.
     *
     * @return whether the rest of its last revision must follow
     * @throws IOException also when the watch has ended inside a revision: a client must not
     *     mistake a part of one for the whole, so the connection is reset
     */
    public boolean take(Step step) throws IOException {
        Part part = begun ? rest(step) : first(step);
        if (!begun) {
            begun = true;
            through = part.through();
            out.write(
                    ("{\"kind\":\"WatchEventList\",\"apiVersion\":\"v1\",\"metadata\":"
                                    + "{\"resourceVersion\":\"%d\"},\"events\":[")
                            .formatted(through)
                            .getBytes(StandardCharsets.UTF_8));
        }
        for (Delivery delivery : part.deliveries()) {
            byte[] line = delivery.line(form);
            if (sent++ > 0) {
                out.write(',');
            }
            out.write(line, 0, line.length - 1);
        }
        if (!part.isOpen()) {
            out.write(new byte[] {']', '}', '\n'});
        }
        return part.isOpen();
    }

    private Part first(Step step) {
        return switch (step) {
            case Step.Events events -> wholeRevisions(events);
            case Step.NoEvents quiet -> nothing(Math.max(after, quiet.throughRevision()));
            case Step.Ended _ -> nothing(after);
        };
    }

    /**
     * As many whole revisions as fit the document; a revision in several parts is a document by
     * itself.
     */
    private Part wholeRevisions(Step.Events events) {
        List<Delivery> deliveries = events.deliveries();
        long bytes = 0;
        for (int i = 0; i < deliveries.size(); i++) {
            long revision = deliveries.get(i).revision();
            boolean begins = i > 0 && deliveries.get(i - 1).revision() < revision;
            boolean comesInParts = revision > events.throughRevision() && !events.isWhole();
            if (begins && (comesInParts || bytes >= mostBytes)) {
                return new Part(deliveries.subList(0, i), deliveries.get(i - 1).revision(), false);
            }
            int line = deliveries.get(i).line(form).length;
            memory.accept(line);
            bytes += line;
        }
        return events.isWhole()
                ? new Part(deliveries, Math.max(after, events.throughRevision()), false)
                : new Part(deliveries, events.through().revision(), true);
    }

    /** The next part of a revision that has been partly written. */
    private Part rest(Step step) throws IOException {
        return switch (step) {
            case Step.Events events ->
                    new Part(
                            events.deliveries().stream()
                                    .filter(delivery -> delivery.revision() == through)
                                    .toList(),
                            through,
                            events.throughRevision() < through);
            case Step.NoEvents quiet -> new Part(List.of(), through, !quiet.isWhole());
            case Step.Ended _ ->
                    throw new IOException("the watch ended inside revision " + through);
        };
    }

    private static Part nothing(long through) {
        return new Part(List.of(), through, false);
    }

    /**
     * @param isOpen whether more events of the revision {@code through} follow
     */
    private record Part(List<Delivery> deliveries, long through, boolean isOpen) {}
}

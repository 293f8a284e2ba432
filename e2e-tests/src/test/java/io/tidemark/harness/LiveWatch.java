package io.tidemark.harness;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.EventModel.ObservedEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A watch that a separate thread reads as fast as it arrives, until it is closed. */
public final class LiveWatch implements AutoCloseable {
    private final Api.WatchStream stream;
    private final List<ObservedEvent> seen = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private LiveWatch(Api.WatchStream stream, Function<JsonNode, ObservedEvent> form) {
        this.stream = stream;
        reader = Thread.ofVirtual().unstarted(() -> read(form));
    }

    public static LiveWatch open(Api api, String path, Function<JsonNode, ObservedEvent> form)
            throws Exception {
        LiveWatch watch = new LiveWatch(api.watch(path), form);
        watch.reader.start();
        return watch;
    }

    /** All events so far, in order of arrival. */
    public List<ObservedEvent> seen() {
        return new ArrayList<>(seen);
    }

    private void read(Function<JsonNode, ObservedEvent> form) {
        try {
            while (true) {
                seen.add(form.apply(stream.next()));
            }
        } catch (IOException | InterruptedException | AssertionError _) {
            // The end of the stream; the caller's comparison finds missing events.
        }
    }

    @Override
    public void close() throws Exception {
        stream.close();
        reader.join();
    }
}

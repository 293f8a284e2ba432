package io.tidemark.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cluster.EventModel.ObservedEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A watch that is read as fast as it comes, by a thread of its own, until it is closed. */
final class LiveWatch implements AutoCloseable {
    private final Api.WatchStream stream;
    private final List<ObservedEvent> seen = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private LiveWatch(Api.WatchStream stream, Function<JsonNode, ObservedEvent> form) {
        this.stream = stream;
        reader = Thread.ofVirtual().unstarted(() -> read(form));
    }

    static LiveWatch open(Api api, String path, Function<JsonNode, ObservedEvent> form)
            throws Exception {
        LiveWatch watch = new LiveWatch(api.watch(path), form);
        watch.reader.start();
        return watch;
    }

    /** All events so far, in the order of their coming. */
    List<ObservedEvent> seen() {
        return new ArrayList<>(seen);
    }

    private void read(Function<JsonNode, ObservedEvent> form) {
        try {
            while (true) {
                seen.add(form.apply(stream.next()));
            }
        } catch (IOException | AssertionError _) {
            // The end of the stream; who compares will miss what did not come.
        }
    }

    @Override
    public void close() throws Exception {
        stream.close();
        reader.join();
    }
}

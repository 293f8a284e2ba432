package io.tidemark.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import java.util.ArrayList;
import java.util.List;

/** A watch whose events are read one by one; it ends by itself, so no read waits forever. */
final class ScenarioWatch implements AutoCloseable {
    private static final int SECONDS = 300;

    private final Api.WatchStream stream;

    private ScenarioWatch(Api.WatchStream stream) {
        this.stream = stream;
    }

    /**
     * @param path of a collection
     * @param parameters besides {@code watch}, such as {@code resourceVersion=5&…}
     */
    static ScenarioWatch open(Api api, String path, String parameters) throws Exception {
        String timeout = parameters.contains("timeoutSeconds") ? "" : "&timeoutSeconds=" + SECONDS;
        return new ScenarioWatch(api.watch(path + "?watch=true&" + parameters + timeout));
    }

    JsonNode nextJson() throws Exception {
        return stream.next();
    }

    String next() throws Exception {
        return AnswerSummary.event(nextJson());
    }

    /** The given number of events, in short form. */
    List<String> next(int count) throws Exception {
        List<String> events = new ArrayList<>();
        while (events.size() < count) {
            events.add(next());
        }
        return events;
    }

    /** All until the server ends the stream. */
    List<String> rest() throws Exception {
        return stream.rest().stream().map(AnswerSummary::event).toList();
    }

    /** The same, in full. */
    List<JsonNode> restJson() throws Exception {
        return stream.rest();
    }

    @Override
    public void close() throws Exception {
        stream.close();
    }
}

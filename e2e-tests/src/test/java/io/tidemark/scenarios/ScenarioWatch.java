package io.tidemark.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import java.util.ArrayList;
import java.util.List;

/**
 * A watch whose events are read one by one; it ends by itself, so no read waits forever. One that
 * begins "now" is opened again when its first event is a 504, as clients do: on a busy machine the
 * server may learn too late what is now.
 */
final class ScenarioWatch implements AutoCloseable {
    private static final int SECONDS = 30;

    private final Api api;
    private final String path;
    private Api.WatchStream stream;

    /** How often it may be opened again; 0 once an event has come. */
    private int retries;

    private ScenarioWatch(Api api, String path, int retries) throws Exception {
        this.api = api;
        this.path = path;
        this.retries = retries;
        this.stream = api.watch(path);
    }

    /**
     * @param path of a collection
     * @param parameters besides {@code watch}, such as {@code resourceVersion=5&…}
     */
    static ScenarioWatch open(Api api, String path, String parameters) throws Exception {
        String timeout = parameters.contains("timeoutSeconds") ? "" : "&timeoutSeconds=" + SECONDS;
        boolean now = !parameters.contains("resourceVersion=");
        return new ScenarioWatch(
                api,
                path + "?watch=true&" + parameters + timeout,
                now ? ScenarioCluster.MAX_RETRIES : 0);
    }

    JsonNode nextJson() throws Exception {
        JsonNode event = stream.next();
        while (retries > 0 && AnswerSummary.event(event).equals("ERROR 504 Timeout")) {
            retries--;
            stream.close();
            stream = api.watch(path);
            event = stream.next();
        }
        retries = 0;
        return event;
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

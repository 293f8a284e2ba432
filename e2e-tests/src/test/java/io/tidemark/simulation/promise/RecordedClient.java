package io.tidemark.simulation.promise;

import java.util.ArrayList;
import java.util.List;

/** A client's whole life: its requests in order. The client carries its resourceVersion along. */
public final class RecordedClient {
    private final String name;
    private final List<Observation> observations = new ArrayList<>();
    private final List<RecordedDecision> decisions = new ArrayList<>();
    private final List<String> brokenRights = new ArrayList<>();

    public RecordedClient(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public <T extends Observation> T add(T observation) {
        observations.add(observation);
        return observation;
    }

    public void add(RecordedDecision decision) {
        decisions.add(decision);
    }

    /** What nodes decided of its requests, and of parts of their answers. */
    public List<RecordedDecision> decisions() {
        return decisions;
    }

    /** Records what a node did against the client's rights or credentials. */
    public void rightsBroken(String why) {
        brokenRights.add(why);
    }

    /** What nodes did against its rights or credentials. */
    public List<String> brokenRights() {
        return brokenRights;
    }

    public List<Observation> observations() {
        return observations;
    }

    public List<RecordedWatch> watches() {
        return observations.stream()
                .filter(RecordedWatch.class::isInstance)
                .map(RecordedWatch.class::cast)
                .toList();
    }

    public List<RecordedRead> reads() {
        return observations.stream()
                .filter(RecordedRead.class::isInstance)
                .map(RecordedRead.class::cast)
                .toList();
    }
}

package io.tidemark.simulation.promise;

import java.util.ArrayList;
import java.util.List;

/** A client's whole life: its requests in order. The client carries its resourceVersion along. */
public final class RecordedClient {
    private final String name;
    private final List<Observation> observations = new ArrayList<>();
    private final List<RecordedDecision> decisions = new ArrayList<>();
    private final List<String> lateEnds = new ArrayList<>();

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

    /** Records that an open request did not end in time after a revocation. */
    public void endedTooLate(String why) {
        lateEnds.add(why);
    }

    /** Which open requests did not end in time. */
    public List<String> lateEnds() {
        return lateEnds;
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

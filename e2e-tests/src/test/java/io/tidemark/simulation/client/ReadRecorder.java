package io.tidemark.simulation.client;

import io.tidemark.simulation.promise.RecordedRead;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;

/** Records the result of one read, with what was true when it began. */
final class ReadRecorder {
    private final World world;
    private final SimulatedClient client;
    private final ClientScope scope;
    private final long beganAtMillis;
    private final long acknowledgedAtBegin;
    private final long historyAtBegin;

    /** The read begins now. */
    ReadRecorder(World world, SimulatedClient client, ClientScope scope) {
        this.world = world;
        this.client = client;
        this.scope = scope;
        this.beganAtMillis = world.scheduler().nowMillis();
        this.acknowledgedAtBegin = world.etcd().revision();
        this.historyAtBegin = world.etcd().historyNumber();
    }

    long beganAtMillis() {
        return beganAtMillis;
    }

    /**
     * @param epoch the mirror's; 0 for none
     */
    void record(RequestedFreshness asked, Answer answer, long epoch, long endedAtMillis) {
        // A restore loses acknowledged writes.
        boolean sameHistory = world.etcd().historyNumber() == historyAtBegin;
        RecordedRead unused =
                client.record()
                        .add(
                                new RecordedRead(
                                        world.epochs().historyOf(epoch),
                                        epoch,
                                        scope.interest(),
                                        asked,
                                        answer,
                                        beganAtMillis,
                                        endedAtMillis,
                                        sameHistory ? acknowledgedAtBegin : 0,
                                        world.faults().etcdCutSince(beganAtMillis)));
    }
}

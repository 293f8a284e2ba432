package io.tidemark.simulation.cluster;

import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.sink.ChangeSink;
import io.tidemark.connector.sink.SinkException;
import io.tidemark.connector.value.MirrorEntry;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.world.Coroutine;
import io.tidemark.simulation.world.FakeProducer;
import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The fake topic as a feed's sink: production's records, through one fake producer at a time. */
final class FakeTopicSink implements ChangeSink {
    private static final String TRANSACTIONAL_ID = "tidemark";
    private static final int MAX_RECORD_BYTES = 1 << 20;

    /** How long the broker may be away before a producer or a reader gives up. */
    private static final long TIMEOUT_MILLIS = 3_000;

    private final Scheduler scheduler;
    private final Settings settings;
    private final FakeTopic topic;
    private final Mutation mutation;
    private final SimulatedProcess process;
    private final Coroutine coroutine;
    private final PartitionAssigner assigner;
    private @Nullable FakeProducer producer;

    /** Records sent and not yet acknowledged, and when that number last fell, or was zero. */
    private int inFlight;

    private long acknowledgedMillis;

    /** Null when it was not a progress mark, or none was written since the sink was opened. */
    private Change.@Nullable TideMark lastMark;

    FakeTopicSink(
            Scheduler scheduler,
            Settings settings,
            FakeTopic topic,
            Mutation mutation,
            SimulatedProcess process) {
        this.scheduler = scheduler;
        this.settings = settings;
        this.topic = topic;
        this.mutation = mutation;
        this.process = process;
        this.coroutine = process.coroutine();
        this.assigner = new PartitionAssigner(topic.partitions().size());
    }

    @Override
    public Opened open() throws SinkException {
        close();
        process.delay();
        boolean[] ready = {false};
        FakeProducer opening =
                topic.initTransactions(
                        TRANSACTIONAL_ID,
                        () -> {
                            ready[0] = true;
                            coroutine.signal();
                        });
        producer = opening;
        lastMark = null;
        inFlight = 0;
        await(() -> ready[0]);
        ResumePoint resume = TopicMemory.resumePoint(topic, mutation);
        return new Opened(resume, MAX_RECORD_BYTES, TopicMemory.fingerprint(topic, resume));
    }

    @Override
    public Set<Bytes> loadKeys() throws SinkException {
        awaitMarkers();
        return TopicMemory.loadKeys(topic);
    }

    @Override
    public KeyTable loadKeyVersions() throws SinkException {
        awaitMarkers();
        return TopicMemory.loadKeyVersions(topic);
    }

    /** Until no transaction is open some committed records are not visible. */
    private void awaitMarkers() throws SinkException {
        process.delay();
        long until = scheduler.nowMillis() + TIMEOUT_MILLIS;
        while (topic.hasUnwrittenMarkers() || !isStable()) {
            if (scheduler.nowMillis() >= until) {
                throw new SinkException.Lost("a transaction stays open");
            }
            coroutine.sleep(20);
        }
    }

    private boolean isStable() {
        return topic.partitions().stream()
                .allMatch(log -> log.lastStableOffset() == log.endOffset());
    }

    @Override
    public Duration history() {
        return Duration.ofMillis(settings.lagMillis());
    }

    @Override
    public void write(List<MirrorEntry> changes) throws SinkException {
        process.delay();
        for (MirrorEntry each : changes) {
            if (each.change() != null) {
                TopicRecord record = ChangeCodec.encode(each.change());
                send(assigner.partitionOf(record.key()), record);
            }
        }
    }

    @Override
    public void mark(Change.TideMark mark) throws SinkException {
        process.delay();
        sendToAll(mark);
        lastMark = mark.kind() == Change.TideMark.Kind.PROGRESS ? mark : null;
    }

    private void sendToAll(Change.TideMark mark) throws SinkException {
        TopicRecord record = ChangeCodec.encode(mark);
        for (int p = 0; p < assigner.partitions(); p++) {
            send(p, record);
        }
    }

    private void send(int partition, TopicRecord record) throws SinkException {
        FakeProducer open = usable();
        if (inFlight++ == 0) {
            acknowledgedMillis = scheduler.nowMillis();
        }
        open.send(
                partition,
                record,
                () -> {
                    inFlight--;
                    acknowledgedMillis = scheduler.nowMillis();
                    coroutine.signal();
                });
    }

    private FakeProducer usable() throws SinkException {
        FakeProducer open = producer;
        if (open == null) {
            throw new SinkException.Lost("the sink is closed");
        }
        if (open.isFenced()) {
            throw open.isTimedOut()
                    ? new SinkException.Lost("the transaction timed out")
                    : new SinkException.Fenced(
                            "another producer has taken over", new IllegalStateException());
        }
        if (inFlight > 0 && scheduler.nowMillis() - acknowledgedMillis > TIMEOUT_MILLIS) {
            throw new SinkException.Lost("not delivered in time");
        }
        return open;
    }

    private void await(BooleanSupplier done) throws SinkException {
        FakeProducer open = usable();
        boolean unused =
                coroutine.await(() -> done.getAsBoolean() || open.isFenced(), TIMEOUT_MILLIS);
        FakeProducer same = usable();
        if (!done.getAsBoolean()) {
            throw new SinkException.Lost("no answer in time from " + same);
        }
    }

    @Override
    public void commit() throws SinkException {
        FakeProducer open = producer;
        if (open == null || !open.hasOpenTransaction()) {
            return;
        }
        process.delay();
        boolean[] committed = {false};
        usable().commit(() -> {
            committed[0] = true;
            coroutine.signal();
        });
        await(() -> committed[0]);
    }

    @Override
    public void beginTransaction() throws SinkException {
        Change.TideMark mark = lastMark;
        if (mark != null && !usable().hasOpenTransaction()) {
            sendToAll(mark);
            await(() -> inFlight == 0);
        }
    }

    @Override
    public void abort() throws SinkException {
        FakeProducer open = producer;
        if (open != null) {
            process.delay();
            open.abort();
        }
    }

    /** Also the death of the process: a part of what it had sent may arrive. */
    @Override
    public void close() {
        FakeProducer open = producer;
        producer = null;
        if (open != null) {
            open.crash();
        }
    }
}

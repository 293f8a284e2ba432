package io.tidemark.golden;

import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.golden.RecordedWatches.Round;
import io.tidemark.golden.RecordedWatches.Step;
import io.tidemark.golden.RecordedWatches.Watch;
import io.tidemark.golden.comparison.AnswerVerifier;
import io.tidemark.golden.comparison.Deviation;
import io.tidemark.golden.comparison.Deviations;
import io.tidemark.golden.comparison.Outcome;
import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.RawRequest;
import io.tidemark.harness.TestEtcd;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Opens recorded watches and makes the recorded changes, in the recorded order. It does not keep
 * the time between them: what a watch had received before a change must have arrived before the
 * change is made again.
 */
final class WatchReplay {
    /**
     * How long streams may take to make the recorded progress; the comparison reports late ones.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final TestEtcd etcd;
    private final InetSocketAddress server;
    private final Deviations deviations;

    WatchReplay(TestEtcd etcd, InetSocketAddress server, Deviations deviations) {
        this.etcd = etcd;
        this.server = server;
        this.deviations = deviations;
    }

    /** One outcome for each watch. */
    List<Outcome> replay(RecordedWatches recorded) throws Exception {
        List<Outcome> outcomes = new ArrayList<>();
        for (Round round : recorded.rounds()) {
            round.before().forEach(this::make);
            catchUp();
            outcomes.addAll(replay(round));
        }
        return outcomes;
    }

    private List<Outcome> replay(Round round) throws Exception {
        List<OpenWatch> open = new ArrayList<>();
        Map<String, OpenWatch> others = new HashMap<>();
        for (Watch watch : round.watches()) {
            open.add(OpenWatch.open(server, watch));
            for (Deviation deviation : deviations.about(watch.row().facts())) {
                deviation
                        .companion()
                        .flatMap(companion -> companion.asked(watch.row()))
                        .ifPresent(asked ->
                                others.put(
                                        watch.id(), OpenWatch.open(server, watch.asking(asked))));
            }
        }
        List<String> late = new ArrayList<>();
        if (!round.during().isEmpty()) {
            await(PATIENCE, open, each -> isReady(each, round))
                    .forEach(each -> late.add(each.watch().id()));
            await(PATIENCE, List.copyOf(others.values()), each -> isOverIfDue(each, round));
            round.during().forEach(this::make);
        }
        end(open, others);
        List<Outcome> outcomes = new ArrayList<>();
        for (OpenWatch each : open) {
            OpenWatch other = others.getOrDefault(each.watch().id(), each);
            outcomes.add(outcome(each, other, late));
        }
        return outcomes;
    }

    private static boolean isReady(OpenWatch open, Round round) {
        return open.hasShown(open.watch().before(round.firstRevision(), round.changedAt()));
    }

    /** Else it might see changes that the watch that is compared with it cannot see. */
    private static boolean isOverIfDue(OpenWatch companion, Round round) {
        return companion.hasEnded()
                || !companion.watch().before(round.firstRevision(), round.changedAt()).end();
    }

    private static boolean isComplete(OpenWatch open) {
        return open.hasShown(open.watch().before(Long.MAX_VALUE, 0));
    }

    /**
     * Waits for the servers' ends, and ends the watches that the client ended.
     *
     * @param companions by the watch to compare with them, which may receive more than was recorded
     */
    private static void end(List<OpenWatch> open, Map<String, OpenWatch> companions)
            throws Exception {
        Collection<OpenWatch> others = companions.values();
        await(PATIENCE, open, each -> each.hasEnded() || !each.watch().endedByServer());
        await(PATIENCE, open, WatchReplay::isComplete);
        await(
                PATIENCE,
                List.copyOf(others),
                each -> each.watch().endedByServer() ? each.hasEnded() : isComplete(each));
        await(
                PATIENCE,
                open.stream().filter(each -> companions.containsKey(each.watch().id())).toList(),
                each -> each.hasShown(companions.get(each.watch().id()).progress()));
        List<OpenWatch> all = new ArrayList<>(open);
        all.addAll(others);
        for (OpenWatch each : all) {
            each.close();
        }
        for (OpenWatch each : all) {
            each.join();
        }
    }

    /** Returns those for which it did not become true in time. */
    private static List<OpenWatch> await(
            Duration limit, List<OpenWatch> open, Predicate<OpenWatch> condition) {
        try {
            Awaitility.await()
                    .atMost(limit)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> open.stream().allMatch(condition));
            return List.of();
        } catch (ConditionTimeoutException _) {
            return open.stream().filter(condition.negate()).toList();
        }
    }

    private Outcome outcome(OpenWatch open, OpenWatch other, List<String> late) throws IOException {
        AnswerVerifier.Row row = open.watch().row();
        Optional<Answer> answer = open.answer();
        Optional<Answer> otherAnswer = other.answer();
        if (answer.isEmpty() || otherAnswer.isEmpty()) {
            return row.failed(answer.isEmpty() ? open.failure() : other.failure());
        }
        Outcome outcome =
                new AnswerVerifier(deviations).judged(row, answer.get(), _ -> otherAnswer.get());
        boolean wasLate =
                late.contains(open.watch().id()) && outcome.verdict() == Outcome.Verdict.SAME;
        return wasLate ? row.failed("received less before the changes than was recorded") : outcome;
    }

    private void make(Step step) {
        switch (step) {
            case Step.Compact(long revision) -> etcd.client().compact(revision, true);
            case Step.Write(String key, Optional<Bytes> value, long revision) -> {
                Bytes name = Bytes.utf8(key);
                long made =
                        value.isPresent()
                                ? etcd.client().put(name, value.get())
                                : etcd.client().txn(Txn.of(new Op.Delete(name))).revision();
                if (made != revision) {
                    throw new IllegalStateException(
                            "%s got revision %d, not %d".formatted(key, made, revision));
                }
            }
        }
    }

    /** A read of everything as of now: afterwards every answer includes it. */
    private void catchUp() {
        RawRequest all =
                new RawRequest("GET", "/kv/registry/?prefix=true&limit=1", Map.of(), new byte[0]);
        Awaitility.await().until(() -> GoldenExchange.ask(server, all, PATIENCE).status() == 200);
    }
}

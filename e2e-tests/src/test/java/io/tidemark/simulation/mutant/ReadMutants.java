package io.tidemark.simulation.mutant;

import io.tidemark.peer.cluster.Replica;
import io.tidemark.query.wire.ContinueToken;
import io.tidemark.query.wire.KeyValueJson;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.Barrier;
import io.tidemark.serving.freshness.BarrierSource;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Mutants of lists. */
final class ReadMutants {
    private ReadMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "read does not wait",
                        "a list for a revision answers before the revision has arrived",
                        Promise.NOT_OLDER_THAN) {
                    @Override
                    public RequestedState requested(RequestedState state) {
                        return new RequestedState.Any();
                    }
                },
                new Mutant(
                        "client goes back",
                        "a list is read slightly below what its client has seen",
                        Promise.MONOTONIC) {
                    @Override
                    public ReadPoint firstPage(ReadPoint at, long highest) {
                        return moved(at, Math.max(1, at.revision() - 3));
                    }
                },
                new Mutant(
                        "no barrier",
                        "a list of now is served at the newest known revision",
                        Promise.LINEARIZABLE) {
                    @Override
                    public OptionalLong barrier(OptionalLong revision, long newestKnown) {
                        return OptionalLong.of(newestKnown);
                    }
                },
                new Mutant(
                        "barrier shared too long",
                        "a list of now shares a barrier that began before its request",
                        Promise.LINEARIZABLE) {
                    @Override
                    public BarrierSource barriers(BarrierSource source) {
                        return new AnswersTwice(source);
                    }
                },
                new Mutant("read waits forever", "a list waits for a minute", Promise.BOUNDED) {
                    @Override
                    public long maxWaitMillis() {
                        return 60_000;
                    }
                },
                new Mutant(
                        "list above a watermark",
                        "a list is read at the highest watermark of its partitions",
                        Promise.SNAPSHOT) {
                    @Override
                    public ReadPoint firstPage(ReadPoint at, long highest) {
                        return moved(at, Math.max(at.revision(), highest));
                    }

                    @Override
                    public PartitionView view(PartitionView view, int node) {
                        return new MutantViews.ScanAhead(view);
                    }
                },
                new Mutant(
                        "continued elsewhere",
                        "a list's next page is read at a newer revision",
                        Promise.SNAPSHOT) {
                    @Override
                    public ReadPoint nextPage(ReadPoint at, long watermark) {
                        return moved(at, Math.max(at.revision(), watermark));
                    }
                },
                new Mutant(
                        "continued at the last key",
                        "a list's next page begins with the last key of the one before",
                        Promise.SNAPSHOT) {
                    @Override
                    public String continueToken(String token, Bytes lastKey) {
                        ContinueToken right = ContinueToken.decodeAnyStart(token);
                        String start = KeyValueJson.asToken(lastKey);
                        return new ContinueToken(right.revision(), start, right.epoch()).encode();
                    }
                },
                new Mutant(
                        "continued in another epoch",
                        "a list's next page is read in the epoch that its node shows",
                        Promise.SNAPSHOT) {
                    @Override
                    public RequestedState requested(RequestedState state) {
                        return state instanceof RequestedState.Continued(_, long revision)
                                ? new RequestedState.Exactly(revision, Long.toString(revision))
                                : state;
                    }

                    @Override
                    public String tokenFor(String token, long nodesEpoch) {
                        ContinueToken right = ContinueToken.decodeAnyStart(token);
                        return new ContinueToken(right.revision(), right.start(), nodesEpoch)
                                .encode();
                    }
                },
                new Mutant(
                        "peer of another epoch",
                        "a peer's replica counts although it has begun another history",
                        Promise.SNAPSHOT) {
                    @Override
                    public <T> Replica.Answer<T> answer(Replica.Answer<T> answer) {
                        return new Replica.Answer<>(
                                answer.outcome(), MutantViews.withEpoch(answer.then(), 1));
                    }

                    @Override
                    public PartitionState advertisedState(PartitionState state) {
                        return MutantViews.withEpoch(state, 1);
                    }
                });
    }

    private static ReadPoint moved(ReadPoint at, long revision) {
        return new ReadPoint(at.partitions(), at.epoch(), revision, at.asOfMillis());
    }

    /** Gives a call's answer also to the requests that came during that call. */
    private static final class AnswersTwice implements BarrierSource {
        private final BarrierSource source;
        private CompletableFuture<Barrier> current = new CompletableFuture<>();
        private boolean answering;

        AnswersTwice(BarrierSource source) {
            this.source = source;
        }

        @Override
        public CompletableFuture<Barrier> begin(String connector) {
            if (answering) {
                // The requests that came meanwhile have queued for the next call.
                return current;
            }
            CompletableFuture<Barrier> answer = new CompletableFuture<>();
            current = answer;
            var unused =
                    source.begin(connector)
                            .whenComplete((barrier, failure) -> {
                                answering = true;
                                if (failure == null) {
                                    answer.complete(barrier);
                                } else {
                                    answer.completeExceptionally(failure);
                                }
                                answering = false;
                            });
            return answer;
        }

        @Override
        public Barrier take(String connector) {
            throw new UnsupportedOperationException("would block");
        }
    }
}

package io.tidemark.simulation.node;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.serving.freshness.Barrier;
import io.tidemark.serving.freshness.BarrierSource;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.simulation.connector.SimulatedConnectorGroup;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way from nodes to the leading connector, which reads etcd's revision, and back. */
public final class SimulatedBarriers {
    private final Scheduler scheduler;
    private final Mutation mutation;
    private @Nullable SimulatedConnectorGroup connectors;

    public SimulatedBarriers(Scheduler scheduler, Mutation mutation) {
        this.scheduler = scheduler;
        this.mutation = mutation;
    }

    public void begin(SimulatedConnectorGroup group) {
        connectors = group;
    }

    SimulatedConnectorGroup connectors() {
        return Objects.requireNonNull(connectors);
    }

    /**
     * The source of one node.
     *
     * @param known what the node knows without asking, for mutations
     */
    public BarrierSource of(Supplier<PartitionSetStatus> known) {
        return mutation.barriers(new Source(known));
    }

    private final class Source implements BarrierSource {
        private final Supplier<PartitionSetStatus> known;

        Source(Supplier<PartitionSetStatus> known) {
            this.known = known;
        }

        @Override
        public CompletableFuture<Barrier> begin(String connector) {
            CompletableFuture<Barrier> answer = new CompletableFuture<>();
            var unused =
                    scheduler.after(scheduler.between(0, 5), "barrier", () -> readEtcd(answer));
            return answer;
        }

        private void readEtcd(CompletableFuture<Barrier> answer) {
            Optional<ResumePoint.At> read = Objects.requireNonNull(connectors).barrier();
            PartitionSetStatus status = known.get();
            long epoch = read.map(ResumePoint.At::epoch).orElse(status.epoch());
            OptionalLong revision =
                    mutation.barrier(
                            read.isPresent()
                                    ? OptionalLong.of(read.get().revision())
                                    : OptionalLong.empty(),
                            status.watermark());
            scheduler.count(CoverageEvent.BARRIERS);
            long delay = scheduler.oneIn(4) ? scheduler.between(20, 400) : scheduler.between(0, 20);
            var unused =
                    scheduler.after(
                            delay,
                            "barrier back",
                            () -> {
                                if (revision.isPresent()) {
                                    answer.complete(new Barrier(epoch, revision.getAsLong()));
                                } else {
                                    answer.completeExceptionally(
                                            new IOException("no connector reaches etcd"));
                                }
                            });
        }

        @Override
        public Barrier take(String connector) {
            throw new UnsupportedOperationException("would block");
        }
    }
}

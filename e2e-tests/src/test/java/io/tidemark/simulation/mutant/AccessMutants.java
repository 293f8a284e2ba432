package io.tidemark.simulation.mutant;

import io.tidemark.query.access.Permit;
import io.tidemark.simulation.promise.Promise;
import java.time.Instant;
import java.util.List;

/** Mutants of the judgement of requests. */
final class AccessMutants {
    private AccessMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "stale rules",
                        "a read does not wait for the rules as of its answer",
                        Promise.AUTHORIZED) {
                    @Override
                    public Permit permit(Permit permit) {
                        return new AlwaysCovered(permit);
                    }
                },
                new Mutant(
                        "watch by stale rules",
                        "a watch does not wait for the rules as of its events",
                        Promise.AUTHORIZED) {
                    @Override
                    public Permit watchPermit(Permit permit) {
                        return new AlwaysCovered(permit);
                    }
                },
                new Mutant(
                        "read checked only at the start",
                        "a read is not judged again when the rules change",
                        Promise.AUTHORIZED) {
                    @Override
                    public Permit permit(Permit permit) {
                        return new NeverJudgedAgain(permit);
                    }
                },
                new Mutant(
                        "watch checked only at the start",
                        "a watch is not judged again when the rules change",
                        Promise.AUTHORIZED) {
                    @Override
                    public Permit watchPermit(Permit permit) {
                        return new NeverJudgedAgain(permit);
                    }
                });
    }

    private static final class AlwaysCovered extends ForwardingPermit {
        AlwaysCovered(Permit permit) {
            super(permit);
        }

        @Override
        public boolean covers(long epoch, long revision) {
            return true;
        }
    }

    private static final class NeverJudgedAgain extends ForwardingPermit {
        NeverJudgedAgain(Permit permit) {
            super(permit);
        }

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public void require() {}
    }

    /** Passes everything on. */
    private static class ForwardingPermit implements Permit {
        private final Permit permit;

        ForwardingPermit(Permit permit) {
            this.permit = permit;
        }

        @Override
        public boolean covers(long epoch, long revision) {
            return permit.covers(epoch, revision);
        }

        @Override
        public boolean isCurrent() {
            return permit.isCurrent();
        }

        @Override
        public void require() throws InterruptedException {
            permit.require();
        }

        @Override
        public void requirePast(boolean recent) throws InterruptedException {
            permit.requirePast(recent);
        }

        @Override
        public Instant until() {
            return permit.until();
        }

        @Override
        public Runnable onceCovered(long epoch, long revision, Runnable task) {
            return permit.onceCovered(epoch, revision, task);
        }

        @Override
        public Runnable onChange(Runnable listener) {
            return permit.onChange(listener);
        }
    }
}

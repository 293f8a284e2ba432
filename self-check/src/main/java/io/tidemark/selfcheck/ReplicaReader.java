package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable;
import io.tidemark.digest.DigestTally;
import io.tidemark.digest.DirectoryGroups;
import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import io.tidemark.selfcheck.OpenReplicas.OpenReplica;
import io.tidemark.view.KeysPage;
import io.tidemark.view.KeysRequest;
import io.tidemark.view.Projection;
import io.tidemark.view.ReadOutcome;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Reads one copy at the revision of a truth, page by page. Every page makes sure by itself that the
 * copy still is of that history and has that revision in its window, so pages fit together.
 */
final class ReplicaReader {
    /** A few milliseconds of reading. */
    private static final int PAGE = 1_000;

    private final OpenReplica copy;
    private final EtcdDigest truth;
    private final Projection family;
    private final CheckThrottle pace;

    ReplicaReader(OpenReplica copy, EtcdDigest truth, Projection family, CheckThrottle pace) {
        this.copy = copy;
        this.truth = truth;
        this.family = family;
        this.pace = pace;
    }

    /** The copy does not answer at this revision (any more). */
    static final class RevisionUnavailableException extends IOException {
        private static final long serialVersionUID = 1L;

        RevisionUnavailableException(String why) {
            super(why);
        }
    }

    /** Sums up all of it. */
    DigestTable table() throws RevisionUnavailableException, InterruptedException {
        DigestTally tally =
                new DigestTally(truth.groups(), truth.table().byGroup(), DigestTable.MAX_SLOTS);
        Optional<Bytes> from = Optional.of(Bytes.EMPTY);
        while (from.isPresent()) {
            KeysPage page = page(from.get());
            page.keys().forEach(key -> tally.add(copy.partition(), key));
            from = page.next();
            pace.rest();
        }
        return tally.table();
    }

    private KeysPage page(Bytes from) throws RevisionUnavailableException {
        KeysRequest request = new KeysRequest(family, truth.epoch(), truth.revision(), from, PAGE);
        return switch (copy.keys(request)) {
            case ReadOutcome.Served<KeysPage>(KeysPage page) -> page;
            case ReadOutcome.Expired<KeysPage>(long floor) ->
                    throw new RevisionUnavailableException(
                            "the copy's floor has risen to " + floor);
            case ReadOutcome.TooNew<KeysPage>(long watermark) ->
                    throw new RevisionUnavailableException(
                            "the copy has gone back to " + watermark);
            case ReadOutcome.ReplicaUnavailable<KeysPage>(String why) ->
                    throw new RevisionUnavailableException(why);
        };
    }

    /** The keys of one group, in order. */
    KeyDiff.Sequence keys(Bytes group) {
        DirectoryGroups groups = truth.groups();
        boolean all = !truth.table().byGroup();
        return new KeyDiff.Sequence() {
            private Iterator<KeyRevision> page = List.<KeyRevision>of().iterator();
            private Optional<Bytes> from = Optional.of(all ? Bytes.EMPTY : group);

            @Override
            public Optional<KeyRevision> next() throws IOException {
                while (true) {
                    while (page.hasNext()) {
                        KeyRevision key = page.next();
                        if (all || groups.isOf(key.key(), group)) {
                            return Optional.of(key);
                        }
                        if (!key.key().startsWith(group)) {
                            from = Optional.empty();
                            return Optional.empty();
                        }
                    }
                    if (from.isEmpty()) {
                        return Optional.empty();
                    }
                    KeysPage read = page(from.get());
                    page = read.keys().iterator();
                    from = read.next();
                }
            }
        };
    }
}

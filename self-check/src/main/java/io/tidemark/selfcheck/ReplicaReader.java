package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable;
import io.tidemark.digest.DigestTally;
import io.tidemark.digest.DirectoryGroups;
import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import io.tidemark.selfcheck.OpenReplicas.OpenReplica;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import io.tidemark.view.request.ReadOutcome;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Reads one replica at the revision of a digest, page by page. Every page checks that the replica
 * is still in that epoch and has the revision in its window, so all pages fit together.
 */
final class ReplicaReader {
    /** Takes a few milliseconds to read. */
    private static final int PAGE = 1_000;

    private final OpenReplica replica;
    private final EtcdDigest digest;
    private final Projection family;
    private final CheckThrottle pace;

    ReplicaReader(OpenReplica replica, EtcdDigest digest, Projection family, CheckThrottle pace) {
        this.replica = replica;
        this.digest = digest;
        this.family = family;
        this.pace = pace;
    }

    /** The replica does not, or no longer, answer at this revision. */
    static final class RevisionUnavailableException extends IOException {
        private static final long serialVersionUID = 1L;

        RevisionUnavailableException(String why) {
            super(why);
        }
    }

    /** Digests all of it. */
    DigestTable table() throws RevisionUnavailableException, InterruptedException {
        DigestTally tally =
                new DigestTally(digest.groups(), digest.table().byGroup(), DigestTable.MAX_SLOTS);
        Optional<Bytes> from = Optional.of(Bytes.EMPTY);
        while (from.isPresent()) {
            KeysPage page = page(from.get());
            page.keys().forEach(key -> tally.add(replica.partition(), key));
            from = page.next();
            pace.rest();
        }
        return tally.table();
    }

    private KeysPage page(Bytes from) throws RevisionUnavailableException {
        KeysRequest request =
                new KeysRequest(family, digest.epoch(), digest.revision(), from, PAGE);
        return switch (replica.keys(request)) {
            case ReadOutcome.Served<KeysPage>(KeysPage page) -> page;
            case ReadOutcome.Expired<KeysPage>(long floor) ->
                    throw new RevisionUnavailableException(
                            "the replica's floor has risen to " + floor);
            case ReadOutcome.TooNew<KeysPage>(long watermark) ->
                    throw new RevisionUnavailableException(
                            "the replica's watermark has gone back to " + watermark);
            case ReadOutcome.ReplicaUnavailable<KeysPage>(String why) ->
                    throw new RevisionUnavailableException(why);
        };
    }

    /** The keys of one group, in order. */
    KeyDiff.Sequence keys(Bytes group) {
        DirectoryGroups groups = digest.groups();
        boolean all = !digest.table().byGroup();
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

package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable;
import io.tidemark.record.Bytes;
import io.tidemark.selfcheck.EtcdDigestSource.Keys;
import io.tidemark.selfcheck.OpenReplicas.OpenReplica;
import io.tidemark.view.Projection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares one copy with etcd, and names what differs. Belongs to one thread. */
final class ReplicaComparer {
    /** Keys that are named at most. */
    private static final int MAX_NAMED = 10;

    private final EtcdDigestSource source;
    private final CheckThrottle pace;
    private String connector = "";

    ReplicaComparer(EtcdDigestSource source, CheckThrottle pace) {
        this.source = source;
        this.pace = pace;
    }

    /** Who has made the digests; the same is asked for keys. */
    void from(String address) {
        connector = address;
    }

    /**
     * A verdict, and the keys that it rests on when it is a bad one.
     *
     * @param place in which of the two places objects are kept in they were found
     */
    record Outcome(Verdict verdict, Projection place, List<Difference> named) {
        static Outcome none(String why) {
            return new Outcome(new Verdict.Inconclusive(why), Projection.WHOLE, List.of());
        }

        /** For the log: it names the keys. */
        String text(Verdict.Differs differs) {
            return text(
                    differs,
                    Bytes::toString,
                    named.stream().map(Difference::text).collect(Collectors.joining(", ")));
        }

        /** For pages, which everybody may read: it names resources, and counts keys. */
        String summary(Verdict.Differs differs) {
            long missing = named.stream().filter(each -> each.replicaRevision() == 0).count();
            long extra = named.stream().filter(each -> each.etcdRevision() == 0).count();
            return text(
                    differs,
                    GroupLabel::of,
                    "%d missing, %d not in etcd, %d at another revision; the log names the keys"
                            .formatted(missing, extra, named.size() - missing - extra));
        }

        private String text(Verdict.Differs differs, Function<Bytes, String> group, String keys) {
            return "differs from etcd at revision %d in %s%s: %s%s"
                    .formatted(
                            differs.revision(),
                            differs.groups().stream()
                                    .map(group)
                                    .distinct()
                                    .limit(MAX_NAMED)
                                    .collect(Collectors.joining(", ")),
                            place == Projection.WHOLE ? "" : " (of the metadata kept apart)",
                            keys,
                            named.size() == MAX_NAMED ? ", and perhaps more" : "");
        }
    }

    /**
     * @param copies where the copy must still be at the end
     */
    Outcome compare(OpenReplica copy, EtcdDigest truth, OpenReplicas copies)
            throws InterruptedException {
        Optional<Verdict.Inconclusive> whyNotComparable =
                Verdict.whyNotComparable(truth, copy.state(), copies.partitions());
        if (whyNotComparable.isPresent()) {
            return new Outcome(whyNotComparable.get(), Projection.WHOLE, List.of());
        }
        try {
            Outcome outcome = compare(copy, truth, Projection.WHOLE);
            return outcome.verdict() instanceof Verdict.Proven
                    ? compare(copy, truth, Projection.METADATA)
                    : outcome;
        } catch (IOException e) {
            return Outcome.none(String.valueOf(e.getMessage()));
        }
    }

    private Outcome compare(OpenReplica copy, EtcdDigest truth, Projection place)
            throws IOException, InterruptedException {
        DigestTable own = new ReplicaReader(copy, truth, place, pace).table();
        Verdict verdict = Verdict.of(truth, copy.partition(), own);
        if (!(verdict instanceof Verdict.Differs(long revision, TreeSet<Bytes> differing))) {
            return new Outcome(verdict, place, List.of());
        }
        List<Difference> named = new ArrayList<>();
        TreeSet<Bytes> confirmed = new TreeSet<>();
        for (Bytes group : differing) {
            if (named.size() < MAX_NAMED) {
                List<Difference> found = name(copy, truth, place, group, MAX_NAMED - named.size());
                named.addAll(found);
                if (!found.isEmpty()) {
                    confirmed.add(group);
                }
            }
        }
        return confirmed.isEmpty()
                ? Outcome.none("the sums differed at %d, the keys do not".formatted(revision))
                : new Outcome(new Verdict.Differs(revision, confirmed), place, named);
    }

    private List<Difference> name(
            OpenReplica copy, EtcdDigest truth, Projection place, Bytes group, int max)
            throws IOException, InterruptedException {
        Keys etcds = source.keys(connector, truth, copy.partition(), group);
        return KeyDiff.differences(
                etcds::next, new ReplicaReader(copy, truth, place, pace).keys(group), max);
    }
}

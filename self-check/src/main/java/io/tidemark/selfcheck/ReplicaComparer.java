package io.tidemark.selfcheck;

import io.tidemark.digest.DigestTable;
import io.tidemark.record.Bytes;
import io.tidemark.selfcheck.EtcdDigestSource.Keys;
import io.tidemark.selfcheck.OpenReplicas.OpenReplica;
import io.tidemark.view.object.Projection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares one replica with etcd, and names the keys that differ. For one thread. */
final class ReplicaComparer {
    /** The most keys that are named. */
    private static final int MAX_NAMED = 10;

    private final EtcdDigestSource source;
    private final CheckThrottle pace;
    private String connector = "";

    ReplicaComparer(EtcdDigestSource source, CheckThrottle pace) {
        this.source = source;
        this.pace = pace;
    }

    /** Sets the connector that made the digests; it is also asked for keys. */
    void from(String address) {
        connector = address;
    }

    /**
     * A verdict; for a difference, with the keys that prove it.
     *
     * @param place the family in which they were found
     */
    record Outcome(Verdict verdict, Projection place, List<Difference> named) {
        static Outcome none(String why) {
            return new Outcome(new Verdict.Inconclusive(why), Projection.WHOLE, List.of());
        }

        /** For the log, with the keys. */
        String text(Verdict.Differs differs) {
            return text(
                    differs,
                    Bytes::toString,
                    named.stream().map(Difference::text).collect(Collectors.joining(", ")));
        }

        /** For the report, which anyone may read: with resources and the number of keys. */
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
                            switch (place) {
                                case Projection.Whole _ -> "";
                                case Projection.Metadata _ -> " (of the metadata kept apart)";
                                case Projection.Checksum _ -> " (of the checksums)";
                                case Projection.Protobuf _, Projection.ProtobufLength _ ->
                                        " (of the protobuf kept apart)";
                            },
                            keys,
                            named.size() == MAX_NAMED ? ", and perhaps more" : "");
        }
    }

    /**
     * @param copies gives the number of partitions
     */
    Outcome compare(OpenReplica replica, EtcdDigest digest, OpenReplicas copies)
            throws InterruptedException {
        Optional<Verdict.Inconclusive> whyNotComparable =
                Verdict.whyNotComparable(digest, replica.state(), copies.partitions());
        if (whyNotComparable.isPresent()) {
            return new Outcome(whyNotComparable.get(), Projection.WHOLE, List.of());
        }
        try {
            Outcome outcome = compare(replica, digest, Projection.WHOLE);
            for (Projection place : replica.forms()) {
                if (outcome.verdict() instanceof Verdict.Proven && place != Projection.WHOLE) {
                    outcome = compare(replica, digest, place);
                }
            }
            return outcome;
        } catch (IOException e) {
            return Outcome.none(String.valueOf(e.getMessage()));
        }
    }

    private Outcome compare(OpenReplica replica, EtcdDigest digest, Projection place)
            throws IOException, InterruptedException {
        DigestTable own = new ReplicaReader(replica, digest, place, pace).table();
        Verdict verdict = Verdict.of(digest, replica.partition(), own);
        if (!(verdict instanceof Verdict.Differs(long revision, TreeSet<Bytes> differing))) {
            return new Outcome(verdict, place, List.of());
        }
        List<Difference> named = new ArrayList<>();
        TreeSet<Bytes> confirmed = new TreeSet<>();
        for (Bytes group : differing) {
            if (named.size() < MAX_NAMED) {
                List<Difference> found =
                        name(replica, digest, place, group, MAX_NAMED - named.size());
                named.addAll(found);
                if (!found.isEmpty()) {
                    confirmed.add(group);
                }
            }
        }
        return confirmed.isEmpty()
                ? Outcome.none(
                        "the digests differed at revision %d, the keys do not".formatted(revision))
                : new Outcome(new Verdict.Differs(revision, confirmed), place, named);
    }

    private List<Difference> name(
            OpenReplica replica, EtcdDigest digest, Projection place, Bytes group, int max)
            throws IOException, InterruptedException {
        Keys etcds = source.keys(connector, digest, replica.partition(), group);
        return KeyDiff.differences(
                etcds::next, new ReplicaReader(replica, digest, place, pace).keys(group), max);
    }
}

package io.tidemark.standalone.doctor;

import io.tidemark.etcd.EtcdVersion;
import io.tidemark.etcd.MemberStatus;
import io.tidemark.etcd.ProgressSupport;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Findings about the members of an etcd cluster, from the status that they report. Pure. */
final class MemberFindings {
    /** etcd's default, assumed if the member does not report its quota. */
    private static final long DEFAULT_QUOTA_BYTES = 2L << 30;

    private static final int FULL_PERCENT = 80;
    private static final long MEBIBYTE = 1 << 20;

    private MemberFindings() {}

    static List<Finding> of(MemberStatus member) {
        List<Finding> findings = new ArrayList<>();
        findings.add(version(member));
        if (member.leaderId() == 0) {
            findings.add(
                    Finding.fail(
                            "etcd at %s has no leader".formatted(member.endpoint()),
                            "check that a majority of the members run and can reach each other"));
        }
        if (member.learner()) {
            findings.add(
                    Finding.warn(
                            "etcd at %s is a learner".formatted(member.endpoint()),
                            "it does not serve consistent reads: name voting members in --etcd"));
        }
        for (String alarm : member.errors()) {
            findings.add(
                    Finding.fail(
                            "etcd at %s reports: %s".formatted(member.endpoint(), alarm),
                            "see 'etcdctl alarm list'; NOSPACE needs compaction, 'etcdctl defrag'"
                                    + " and 'etcdctl alarm disarm'"));
        }
        findings.add(size(member));
        return findings;
    }

    /** Whether all of them belong to one cluster. */
    static Finding cluster(List<MemberStatus> members) {
        TreeSet<String> ids = new TreeSet<>();
        members.forEach(member -> ids.add(Long.toHexString(member.clusterId())));
        if (ids.size() == 1) {
            return Finding.ok("etcd's cluster id is " + ids.first());
        }
        List<URI> endpoints = members.stream().map(MemberStatus::endpoint).toList();
        return Finding.fail(
                "the etcd endpoints %s belong to different clusters: %s".formatted(endpoints, ids),
                "name members of one cluster only in --etcd");
    }

    private static Finding version(MemberStatus member) {
        String what = "etcd at %s is version %s".formatted(member.endpoint(), member.version());
        Optional<EtcdVersion> version = member.parsedVersion();
        if (version.isEmpty()) {
            return Finding.warn(
                    what + ", which is not a version number",
                    "progress requests are not used; run a released etcd, 3.5.13 or later");
        }
        if (version.get().compareTo(EtcdVersion.OLDEST_SUPPORTED) < 0) {
            return Finding.fail(what, "use etcd 3.5.13 or later");
        }
        if (version.get().progressSupport() == ProgressSupport.PERIODIC) {
            return Finding.warn(
                    what + ", whose answers to progress requests cannot be trusted",
                    "use 3.5.13 or later (3.4.31 in the 3.4 line), or give etcd"
                            + " --experimental-watch-progress-notify-interval=100ms: by default it"
                            + " reports progress only every 10 minutes, and consistent reads wait");
        }
        return Finding.ok(what);
    }

    private static Finding size(MemberStatus member) {
        long quota = member.dbQuotaBytes().orElse(DEFAULT_QUOTA_BYTES);
        long percent = member.dbSizeBytes() * 100 / quota;
        String what =
                "etcd at %s: database of %d MiB, %d MiB in use, %s %d MiB"
                        .formatted(
                                member.endpoint(),
                                member.dbSizeBytes() / MEBIBYTE,
                                member.dbSizeInUseBytes() / MEBIBYTE,
                                member.dbQuotaBytes().isPresent()
                                        ? "of a quota of"
                                        : "of etcd's default quota of",
                                quota / MEBIBYTE);
        if (percent < FULL_PERCENT) {
            return Finding.ok(what);
        }
        return Finding.warn(
                what,
                "when the quota is reached etcd refuses writes: compact and 'etcdctl defrag',"
                        + " or raise --quota-backend-bytes");
    }
}

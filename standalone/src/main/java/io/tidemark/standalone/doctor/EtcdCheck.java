package io.tidemark.standalone.doctor;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.MemberStatus;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.WatchRequest;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.record.Bytes;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks an etcd cluster for use by the connector: every endpoint's version and state, and whether
 * the prefix can be read and watched. Only reads. Takes little more than a call timeout for each
 * endpoint.
 */
public final class EtcdCheck {
    private final EtcdOptions options;
    private final Bytes prefix;
    private final KubernetesRoots roots;

    /**
     * @param prefix to mirror, such as {@code /registry/}
     * @param roots declared prefixes of API servers' objects
     */
    public EtcdCheck(EtcdOptions options, Bytes prefix, KubernetesRoots roots) {
        this.options = options;
        this.prefix = prefix;
        this.roots = roots;
    }

    /** Reads only; a failure of etcd is a finding, never an exception. */
    public List<Finding> run() {
        try (EtcdClient client = new EtcdClient(options)) {
            return run(client);
        } catch (IllegalArgumentException unusable) {
            return List.of(
                    Finding.fail(
                            String.valueOf(unusable.getMessage()),
                            "check that --etcd-ca, --etcd-cert and --etcd-key name PEM files"));
        }
    }

    private List<Finding> run(EtcdClient client) {
        List<Finding> findings = new ArrayList<>();
        List<MemberStatus> members = members(client, findings);
        if (findings.stream().allMatch(finding -> finding.level() == Finding.Level.FAIL)) {
            return findings;
        }
        if (!members.isEmpty()) {
            findings.add(MemberFindings.cluster(members));
        }
        // Ordered by what they depend on: the first failure explains the rest.
        try {
            long revision = keys(client, findings);
            roots(client, findings);
            history(client, revision, findings);
        } catch (EtcdException failed) {
            findings.add(
                    Finding.fail("'%s' cannot be read".formatted(prefix.utf8()), advice(failed)));
        }
        return findings;
    }

    private static List<MemberStatus> members(EtcdClient client, List<Finding> findings) {
        List<MemberStatus> members = new ArrayList<>();
        for (URI endpoint : client.endpoints()) {
            try {
                MemberStatus member = client.status(endpoint);
                members.add(member);
                findings.addAll(MemberFindings.of(member));
            } catch (EtcdException failed) {
                findings.add(
                        failed.kind() == EtcdException.Kind.AUTH
                                ? statusDenied(endpoint)
                                : Finding.fail(
                                        "etcd at %s cannot be used".formatted(endpoint),
                                        advice(failed)));
            }
        }
        return members;
    }

    /** The reads that follow show whether the user may do what Tidemark needs. */
    private static Finding statusDenied(URI endpoint) {
        return Finding.warn(
                "etcd at %s denies this user its status".formatted(endpoint),
                "some versions, such as 3.5.28 to 3.5.30, show it to the role root only; Tidemark"
                        + " works without it");
    }

    private long keys(EtcdClient client, List<Finding> findings) {
        RangePage count = client.range(RangeRequest.prefix(prefix).withCountOnly());
        if (count.count() == 0) {
            findings.add(
                    Finding.warn(
                            "no key begins with '%s'".formatted(prefix.utf8()),
                            "check that --prefix is what the cluster uses; Kubernetes' default is"
                                    + " /registry/"));
        } else {
            findings.add(
                    Finding.ok(
                            "keys that begin with '%s': %d, at revision %d"
                                    .formatted(
                                            prefix.utf8(),
                                            count.count(),
                                            count.currentRevision())));
        }
        return count.currentRevision();
    }

    private void roots(EtcdClient client, List<Finding> findings) {
        for (Bytes root : new UndeclaredRoots(client, prefix, roots).find()) {
            findings.add(
                    Finding.warn(
                            "'%s' holds secrets/ and is not declared as a Kubernetes root"
                                    .formatted(root),
                            "if it is one, add --kubernetes-root %s,%s: else Secrets below it are"
                                            .formatted(roots, root)
                                    + " left out only if their values identify them as Secrets"));
        }
    }

    private void history(EtcdClient client, long revision, List<Finding> findings) {
        try (EtcdWatch watch = client.watch(WatchRequest.prefix(prefix, 0))) {
            findings.add(
                    Finding.ok(
                            "'%s' can be watched; progress: %s"
                                    .formatted(prefix.utf8(), progress(watch))));
            long compacted = client.compactRevision(prefix);
            findings.add(
                    Finding.ok(
                            compacted == 0
                                    ? "etcd has never been compacted: all history is available"
                                    : "etcd is compacted through revision %d: history of %d revisions"
                                            .formatted(compacted, revision - compacted)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            findings.add(Finding.warn("etcd's history was not checked", "interrupted: try again"));
        }
    }

    private static String progress(EtcdWatch watch) {
        return switch (watch.progressSupport()) {
            case MANUAL -> "on request";
            case PERIODIC -> "only at etcd's configured interval";
        };
    }

    private static String advice(EtcdException failed) {
        return String.valueOf(failed.getMessage());
    }
}

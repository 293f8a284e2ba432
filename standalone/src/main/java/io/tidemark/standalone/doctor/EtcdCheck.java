package io.tidemark.standalone.doctor;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdException;
import io.tidemark.etcd.EtcdOptions;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.MemberStatus;
import io.tidemark.etcd.RangePage;
import io.tidemark.etcd.RangeRequest;
import io.tidemark.etcd.WatchRequest;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.record.Bytes;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at an etcd cluster with the eyes of the connector: every endpoint's version and state, and
 * whether the prefix can be read and watched. Only reads. Takes at most a call timeout for each
 * endpoint and some more.
 */
public final class EtcdCheck {
    private final EtcdOptions options;
    private final Bytes prefix;
    private final KubernetesRoots roots;

    /**
     * @param prefix what is to be mirrored, such as {@code /registry/}
     * @param roots where API servers are said to keep their objects
     */
    public EtcdCheck(EtcdOptions options, Bytes prefix, KubernetesRoots roots) {
        this.options = options;
        this.prefix = prefix;
        this.roots = roots;
    }

    public List<Finding> run() {
        try (EtcdClient client = new EtcdClient(options)) {
            return run(client);
        } catch (IllegalArgumentException unusable) {
            return List.of(
                    Finding.fail(
                            String.valueOf(unusable.getMessage()),
                            "see that --etcd-ca, --etcd-cert and --etcd-key name PEM files"));
        }
    }

    private List<Finding> run(EtcdClient client) {
        List<Finding> findings = new ArrayList<>();
        List<MemberStatus> members = members(client, findings);
        if (members.isEmpty()) {
            return findings;
        }
        findings.add(MemberFindings.cluster(members));
        // The more a step needs, the later it comes: the first that fails explains the rest.
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
                        Finding.fail(
                                "etcd at %s cannot be used".formatted(endpoint), advice(failed)));
            }
        }
        return members;
    }

    private long keys(EtcdClient client, List<Finding> findings) {
        RangePage count = client.range(RangeRequest.prefix(prefix).withCountOnly());
        if (count.count() == 0) {
            findings.add(
                    Finding.warn(
                            "no key begins with '%s'".formatted(prefix.utf8()),
                            "see that --prefix is what the cluster uses; Kubernetes' default is"
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
                            "if it is one, say --kubernetes-root %s,%s: else Secrets below it are"
                                            .formatted(roots, root)
                                    + " left out only where their values show what they are"));
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
                                    ? "etcd has never been compacted: all history is there"
                                    : "etcd is compacted through revision %d: history of %d revisions"
                                            .formatted(compacted, revision - compacted)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            findings.add(
                    Finding.warn("etcd's history was not looked at", "interrupted: try again"));
        }
    }

    private static String progress(EtcdWatch watch) {
        return switch (watch.progressSupport()) {
            case MANUAL -> "whenever asked for";
            case PERIODIC -> "only as often as etcd is set to tell it";
        };
    }

    private static String advice(EtcdException failed) {
        return String.valueOf(failed.getMessage());
    }
}

package io.tidemark.connector.value;

import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.kubernetes.SecretKeys;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Derives from a key which content its value must have. Kubernetes keeps its objects under a root,
 * see {@link KubernetesRoots}, in {@code <resource>/[<namespace>/]<name>}, and custom resources in
 * {@code <group>/<plural>/[<namespace>/]<name>}, where a group has a dot.
 */
public final class KubernetesKeys {
    private static final List<String> ROOT_ENDS = List.of("/registry/", "/kubernetes.io/");

    /** Directories of the built-in resources, without their trailing slash. */
    private static final Set<String> OBJECTS =
            Set.of(
                    ("pods configmaps secrets serviceaccounts persistentvolumeclaims limitranges"
                                    + " resourcequotas podtemplates services/specs"
                                    + " services/endpoints controllers events minions namespaces"
                                    + " persistentvolumes deployments daemonsets statefulsets"
                                    + " replicasets controllerrevisions horizontalpodautoscalers"
                                    + " jobs cronjobs poddisruptionbudgets ingress networkpolicies"
                                    + " ingressclasses ipaddresses servicecidrs endpointslices"
                                    + " leases leasecandidates roles rolebindings clusterroles"
                                    + " clusterrolebindings storageclasses volumeattachments"
                                    + " csinodes csidrivers csistoragecapacities"
                                    + " volumeattributesclasses validatingwebhookconfigurations"
                                    + " mutatingwebhookconfigurations validatingadmissionpolicies"
                                    + " validatingadmissionpolicybindings"
                                    + " mutatingadmissionpolicies mutatingadmissionpolicybindings"
                                    + " priorityclasses runtimeclasses flowschemas"
                                    + " prioritylevelconfigurations certificatesigningrequests"
                                    + " clustertrustbundles podcertificaterequests deviceclasses"
                                    + " resourceslices resourceclaims resourceclaimtemplates"
                                    + " devicetaintrules storageversions storageversionmigrations"
                                    + " podsecuritypolicy podschedulingcontexts workloads podgroups"
                                    + " resourcepoolstatusrequests")
                            .split(" "));

    /** Directories and single keys with the API server's internal records. */
    private static final Set<String> NO_OBJECTS =
            Set.of("ranges", "masterleases", "peerserverleases", "health");

    private final KubernetesRoots roots;
    private final SecretKeys secrets;

    /** Required content of a key. */
    public enum ExpectedContent {
        /** A Kubernetes object, and nothing else. */
        OBJECT,
        /** Any bytes. */
        ANY,
        /** Bookkeeping of the API server, never an object. */
        NO_OBJECT
    }

    /** Uses the default root. */
    public KubernetesKeys(Bytes prefix) {
        this(KubernetesRoots.DEFAULT, prefix);
    }

    /**
     * @param declared the configured roots; a part of the prefix that is named like a root is
     *     another
     * @param prefix the mirrored prefix
     */
    public KubernetesKeys(KubernetesRoots declared, Bytes prefix) {
        this.roots = withRootOf(prefix, declared);
        this.secrets = SecretKeys.of(roots, prefix);
    }

    private static KubernetesRoots withRootOf(Bytes prefix, KubernetesRoots declared) {
        if (declared.rootOf(prefix).isPresent()) {
            return declared;
        }
        String text = between(prefix, 0, prefix.length());
        for (String end : ROOT_ENDS) {
            int at = text.indexOf(end);
            if (at >= 0) {
                List<Bytes> all = new ArrayList<>(declared.roots());
                all.add(prefix.slice(0, at + end.length()));
                return new KubernetesRoots(all);
            }
        }
        return declared;
    }

    /** Whether the key is one of a Secret: not mirrored unless requested. */
    public boolean isSecret(Bytes key) {
        return secrets.contains(key);
    }

    /**
     * The directories in which resources are: Kubernetes' roots, and the mirrored prefix if it is
     * in none of them.
     */
    public List<Bytes> parents() {
        return secrets.parents();
    }

    public ExpectedContent place(Bytes key) {
        return roots.rootOf(key).map(root -> place(key, root.length())).orElse(ExpectedContent.ANY);
    }

    private static ExpectedContent place(Bytes key, int rootLength) {
        int first = slash(key, rootLength);
        String head = between(key, rootLength, first);
        if (NO_OBJECTS.contains(head)) {
            return ExpectedContent.NO_OBJECT;
        }
        if (first == key.length()) {
            return ExpectedContent.ANY;
        }
        if (OBJECTS.contains(head)) {
            return ExpectedContent.OBJECT;
        }
        int second = slash(key, first + 1);
        if (second == key.length()) {
            return ExpectedContent.ANY;
        }
        boolean custom = head.indexOf('.') > 0 && second > first + 1;
        return custom || OBJECTS.contains(between(key, rootLength, second))
                ? ExpectedContent.OBJECT
                : ExpectedContent.ANY;
    }

    /** Whether the key lies under one of Kubernetes' roots. */
    boolean isKubernetes(Bytes key) {
        return roots.rootOf(key).isPresent();
    }

    private static int slash(Bytes key, int from) {
        int at = from;
        while (at < key.length() && key.at(at) != '/') {
            at++;
        }
        return at;
    }

    private static String between(Bytes key, int from, int to) {
        return new String(key.array(), from, to - from, StandardCharsets.ISO_8859_1);
    }
}

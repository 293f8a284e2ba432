package io.tidemark.connector.value;

import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * What the place of a key says about its value. Kubernetes keeps its objects under a root, {@code
 * /registry/} by default, in {@code <resource>/[<namespace>/]<name>}, and custom resources in
 * {@code <group>/<plural>/[<namespace>/]<name>}, where a group has a dot.
 */
public final class KubernetesKeys {
    private static final Bytes DEFAULT_ROOT = Bytes.utf8("/registry/");
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
                                    + " podsecuritypolicy podschedulingcontexts workloads")
                            .split(" "));

    /** Directories and single keys that hold the API server's own records. */
    private static final Set<String> NO_OBJECTS =
            Set.of("ranges", "masterleases", "peerserverleases", "health");

    /** Empty when nothing of Kubernetes lies under the prefix. */
    private final Bytes root;

    private final List<Bytes> secrets;

    /** What a key must hold. */
    public enum Place {
        /** A Kubernetes object, and nothing else. */
        OBJECT,
        /** Anything at all. */
        ANY,
        /** Bookkeeping of the API server, never an object. */
        NO_OBJECT
    }

    /**
     * @param prefix what is mirrored; Kubernetes' root is found in it, or below it
     */
    public KubernetesKeys(Bytes prefix) {
        this.root = rootOf(prefix);
        Bytes name = Bytes.utf8("secrets/");
        this.secrets = List.of(prefix.concat(name), root.concat(name));
    }

    /**
     * The part of {@code prefix} through its last component that names a root; the default root
     * when the prefix holds that as a whole.
     */
    private static Bytes rootOf(Bytes prefix) {
        if (DEFAULT_ROOT.startsWith(prefix)) {
            return DEFAULT_ROOT;
        }
        String text = between(prefix, 0, prefix.length());
        for (String end : ROOT_ENDS) {
            int at = text.indexOf(end);
            if (at >= 0) {
                return prefix.slice(0, at + end.length());
            }
        }
        return Bytes.EMPTY;
    }

    /** Whether the key is one of a Secret: left out of the mirror unless asked for. */
    public boolean isSecret(Bytes key) {
        return key.startsWith(secrets.getFirst())
                || (root.length() > 0 && key.startsWith(secrets.getLast()));
    }

    public Place place(Bytes key) {
        if (!isKubernetes(key)) {
            return Place.ANY;
        }
        int first = slash(key, root.length());
        String head = between(key, root.length(), first);
        if (NO_OBJECTS.contains(head)) {
            return Place.NO_OBJECT;
        }
        if (first == key.length()) {
            return Place.ANY;
        }
        if (OBJECTS.contains(head)) {
            return Place.OBJECT;
        }
        int second = slash(key, first + 1);
        if (second == key.length()) {
            return Place.ANY;
        }
        boolean custom = head.indexOf('.') > 0 && second > first + 1;
        return custom || OBJECTS.contains(between(key, root.length(), second))
                ? Place.OBJECT
                : Place.ANY;
    }

    /** Whether the key lies under Kubernetes' root. */
    boolean isKubernetes(Bytes key) {
        return root.length() > 0 && key.startsWith(root);
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

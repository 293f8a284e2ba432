package io.tidemark.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.record.Bytes;

/** Keys of objects below the prefix: directory, namespace, name. */
final class Directories {
    static final String NAMESPACES = "namespaces";
    static final String NODES = "minions";
    static final String LEASES = "leases";
    static final String SERVICE_ACCOUNTS = "serviceaccounts";
    static final String CONFIG_MAPS = "configmaps";
    static final String DEPLOYMENTS = "deployments";
    static final String REPLICA_SETS = "replicasets";
    static final String PODS = "pods";
    static final String SERVICES = "services/specs";
    static final String ENDPOINT_SLICES = "endpointslices";
    static final String EVENTS = "events";
    static final String DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions";
    static final String VOYAGES = "harbour.tidemark.io/voyages";

    private Directories() {}

    /** The key of {@code object} below the prefix, by its namespace and name. */
    static Bytes key(String directory, ObjectNode object) {
        String namespace = object.at("/metadata/namespace").asText("");
        String name = object.at("/metadata/name").asText();
        return namespace.isEmpty() ? key(directory, name) : key(directory, namespace, name);
    }

    static Bytes key(String directory, String name) {
        return Bytes.utf8(directory + "/" + name);
    }

    static Bytes key(String directory, String namespace, String name) {
        return Bytes.utf8(directory + "/" + namespace + "/" + name);
    }
}

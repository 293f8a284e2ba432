package io.tidemark.chaos.process;

import io.tidemark.chaos.process.Cluster.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The other Tidemarks of a tree: the one at its root follows etcd, and the cluster's connectors
 * follow that. A second leaf follows it as well.
 *
 * @param rootConnectors of the root
 * @param rootNodes of the root
 * @param leafConnectors of the second leaf
 * @param leafNodes of the second leaf
 */
public record Tree(
        List<Member> rootConnectors,
        List<Member> rootNodes,
        List<Member> leafConnectors,
        List<Member> leafNodes) {
    /** Names of the Tidemarks, of their topics and groups; the cluster's own has the default's. */
    static final String ROOT = "root";

    static final String LEAF = "leaf";

    /** Of the processes. */
    static final List<String> NAMES =
            List.of("root-connector", "root-node-1", "root-node-2", "leaf-connector", "leaf-node");

    public Tree {
        rootConnectors = List.copyOf(rootConnectors);
        rootNodes = List.copyOf(rootNodes);
        leafConnectors = List.copyOf(leafConnectors);
        leafNodes = List.copyOf(leafNodes);
    }

    static Tree of(Members members, String etcd) throws IOException {
        Member connector = members.connector("root-connector", etcd, ROOT);
        List<Member> nodes =
                List.of(members.node("root-node-1", ROOT), members.node("root-node-2", ROOT));
        return new Tree(
                List.of(connector),
                nodes,
                List.of(members.connector("leaf-connector", url(nodes), LEAF)),
                List.of(members.node("leaf-node", LEAF)));
    }

    /** What connectors follow. */
    String url() {
        return url(rootNodes);
    }

    private static String url(List<Member> nodes) {
        return nodes.stream().map(node -> node.url() + "/kv").collect(Collectors.joining(","));
    }

    void startRoot(Duration patience) throws IOException, InterruptedException {
        start(rootConnectors, patience);
        start(rootNodes, patience);
    }

    void startLeaf(Duration patience) throws IOException, InterruptedException {
        start(leafConnectors, patience);
        start(leafNodes, patience);
    }

    private static void start(List<Member> members, Duration patience)
            throws IOException, InterruptedException {
        for (Member member : members) {
            member.process().start();
        }
        for (Member member : members) {
            member.process().awaitReady(patience);
        }
    }
}

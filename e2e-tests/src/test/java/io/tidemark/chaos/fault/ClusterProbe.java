package io.tidemark.chaos.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.process.Cluster;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.ManagedProcess;
import io.tidemark.harness.Api;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the cluster's state from {@code /cluster} of a running node. Used by one thread. */
public final class ClusterProbe {
    private final Cluster cluster;
    private final Map<String, Api> apis = new HashMap<>();

    public ClusterProbe(Cluster cluster) {
        this.cluster = cluster;
    }

    /** As a client of this node. */
    public Api api(Member member) {
        return apis.computeIfAbsent(member.url(), Api::new);
    }

    /** The answer of the first node that answers; empty when none does. */
    public Optional<JsonNode> document() throws InterruptedException {
        for (Member node : cluster.nodes(ManagedProcess::isRunning)) {
            Optional<Api.Answer> answer = get(node, "/cluster");
            if (answer.isPresent()) {
                return Optional.of(answer.get().json());
            }
        }
        return Optional.empty();
    }

    /** The node's own state. */
    boolean isReady(Member member) throws InterruptedException {
        return get(member, "/readyz").isPresent();
    }

    /** The node's own watermark; -1 when it does not answer. */
    long watermark(Member node) throws InterruptedException {
        return get(node, "/cluster")
                .map(answer -> answer.json().path("watermark").asLong())
                .orElse(-1L);
    }

    /** Empty when there is no answer, or another than 200. */
    private Optional<Api.Answer> get(Member member, String path) throws InterruptedException {
        try {
            return Optional.of(api(member).get(path)).filter(answer -> answer.status() == 200);
        } catch (InterruptedException e) {
            throw e;
        } catch (IOException _) {
            return Optional.empty();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A node that has a replica of a partition.
     *
     * @throws IllegalStateException when none is known to have one
     */
    public Member holder(int partition) throws InterruptedException {
        List<Member> running = cluster.nodes(ManagedProcess::isRunning);
        return document().stream()
                .flatMap(it -> it.path("nodes").valueStream())
                .filter(node ->
                        node.path("copies")
                                .valueStream()
                                .anyMatch(copy -> copy.path("partition").asInt() == partition))
                .flatMap(node -> byPort(running, port(node)).stream())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("no node holds partition " + partition));
    }

    /** The id of a node in the document; one that no node has while it is not known. */
    static int port(JsonNode node) {
        return URI.create(node.path("url").asText("http://none:1")).getPort();
    }

    /** The leading connector, as far as a node knows. */
    Optional<Member> leader() {
        try {
            return document()
                    .map(it -> it.path("connector").path("url").asText(""))
                    .filter(url -> !url.isEmpty())
                    .map(url -> URI.create(url).getPort())
                    .flatMap(port -> byPort(cluster.connectors(), port));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    static Optional<Member> byPort(List<Member> members, int port) {
        return members.stream().filter(member -> member.port() == port).findFirst();
    }
}

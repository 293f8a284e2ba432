package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.harness.Api;
import org.awaitility.Awaitility;

/** What a node's self-check has proven, by its metrics. */
final class SelfCheckProofs {
    private static final int PARTITIONS = 8;

    private SelfCheckProofs() {}

    /** Waits until every partition is proven to equal etcd at the revision or a later one. */
    static void await(Api api, long revision) {
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(
                                        api.get("/metrics")
                                                .body()
                                                .lines()
                                                .filter(line ->
                                                        line.startsWith(
                                                                "tidemark_selfcheck_proof_revision{"))
                                                .map(line ->
                                                        Double.parseDouble(line.split(" ")[1])))
                                .hasSize(PARTITIONS)
                                .allMatch(proof -> proof >= revision));
    }
}

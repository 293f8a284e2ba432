package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

/** The status command against fixed responses. */
class StatusCommandTest extends CommandsFixture {
    private static final String LEADER =
            """
            {"url":"http://c1:8090","phase":"FOLLOWING","revision":120,"etcdRevision":121}\
            """;
    private static final String BOTH =
            """
            {"partition":0,"active":"n1:8180","standbys":["n2:8180","n4:8180"],"readable":true,\
            "floor":5,"watermark":118,"lagRevisions":2,"lagMillis":450,"bytes":2048}\
            """;
    private static final String LOST =
            "{\"partition\":1,\"active\":\"\",\"standbys\":[],\"readable\":false}";

    private static String cluster(int watermark, String connector, String... partitions) {
        return """
        {"epoch":3,"watermark":%d,"floor":5,"connector":%s,"partitions":[%s],"nodes":[
         {"node":"n1:8180","url":"http://n1:8080","phase":"RUNNING","watches":12,"reachable":true,
          "bytes":3145728,"copies":[{"partition":0,"active":true}]},
         {"node":"n2:8180","url":"http://n2:8080","phase":"RESTORING","watches":0,
          "reachable":true,"bytes":0,"copies":[]},
         {"node":"n3:8180","reachable":false,"reason":"no answer in time"}]}
        """
                .formatted(watermark, connector, String.join(",", partitions));
    }

    private int run(String... arguments) {
        return run(new StatusCommand(), arguments);
    }

    @Test
    void printsConnectorNodesAndPartitions() {
        server.on("/cluster", 200, cluster(118, LEADER, BOTH, LOST));
        assertThat(run()).as("a partition is unreadable").isEqualTo(1);
        assertThat(out.toString())
                .isEqualTo(
                        """
                        epoch 3, revision 118, history from 5
                        connector http://c1:8090: following at revision 120, etcd at 121
                        not whole: replicas are missing or restoring

                        NODE      URL              PHASE         ACTIVE   STANDBY   WATCHES   SIZE
                        n1:8180   http://n1:8080   running       1        0         12        3.0 MiB
                        n2:8180   http://n2:8080   restoring     0        0         0         0 B
                        n3:8180                    unreachable
                        node n3:8180 is unreachable: no answer in time

                        PARTITION   ACTIVE    STANDBY           REVISION     FLOOR   LAG   AGE     SIZE
                        0           n1:8180   n2:8180,n4:8180   118          5       2     0.5 s   2.0 KiB
                        1                                       unreadable
                        """);
    }

    @Test
    void exitCodeReportsHealth() {
        server.on("/cluster", 200, cluster(118, LEADER, BOTH));
        assertThat(run()).isZero();
        server.on("/cluster", 200, cluster(118, "null", BOTH));
        assertThat(run()).as("the first of two replies").isZero();
        assertThat(run()).as("no connector leads").isEqualTo(1);
        assertThat(out.toString()).contains("connector: none reachable");
        server.on("/cluster", 200, cluster(118, LEADER.replace("FOLLOWING", "LISTING"), BOTH));
        assertThat(run()).isEqualTo(1);
        assertThat(run()).as("the connector lists").isEqualTo(1);
        server.on("/cluster", 200, cluster(118, LEADER));
        assertThat(run()).isEqualTo(1);
        assertThat(run()).as("no partition is known").isEqualTo(1);
    }

    @Test
    void printsTheDocumentAsJson() throws Exception {
        String document = cluster(118, LEADER, BOTH);
        server.on("/cluster", 200, document);
        assertThat(run("-o", "json")).isZero();
        assertThat(NodeApiClient.JSON.readTree(out.toString()))
                .isEqualTo(NodeApiClient.JSON.readTree(document));
        assertThat(run("-o", "yaml")).as("not offered").isNotZero();
        assertThat(run("--watch", "--interval", "0")).isNotZero();
    }

    @Test
    void watchRefreshesAlsoAfterAnError() throws Exception {
        server.on("/cluster", 200, cluster(118, LEADER, BOTH));
        server.on("/cluster", 503, "{\"message\":\"not now\"}");
        server.on("/cluster", 200, cluster(119, LEADER, BOTH));
        Thread watching = Thread.ofVirtual().start(() -> run("--watch", "--interval", "1"));
        await().until(() -> out.toString().contains("revision 119"));
        watching.interrupt();
        watching.join();
        assertThat(out.toString()).contains("revision 118");
        assertThat(err.toString()).contains("not now");
    }
}

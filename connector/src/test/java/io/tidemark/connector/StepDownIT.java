package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.ConnectorStatus.Phase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connectors that cannot reach etcd, while others may. */
class StepDownIT extends ConnectorFixture {
    private final List<EtcdLink> links = new ArrayList<>();

    @AfterEach
    void closeLinks() throws IOException {
        for (EtcdLink link : links) {
            link.close();
        }
    }

    @Test
    void aLeaderCutOffFromEtcdGivesUpLeadership() throws Exception {
        EtcdLink link = link();
        Connector first = startAt(link);
        await().atMost(SOON).until(() -> first.status().phase() == Phase.FOLLOWING);
        Connector second = start(config().withElection(true));
        await().atMost(SOON).until(() -> second.status().phase() == Phase.STANDBY);
        put("pods/ns/a", object("a", 1));

        link.cut();
        put("pods/ns/a", object("a", 2));
        await().atMost(SOON).until(() -> second.status().phase() == Phase.FOLLOWING);
        awaitMirrored();
        assertThat(first.status().phase()).isEqualTo(Phase.WAITING);
        assertThat(first.status().lastError()).contains("etcd has not answered");

        link.heal();
        await().atMost(SOON).until(() -> first.status().phase() == Phase.STANDBY);
        put("pods/ns/a", object("a", 3));
        awaitMirrored();
        assertMirrorsEtcd();
        assertThat(second.status().phase()).isEqualTo(Phase.FOLLOWING);
        assertThat(puts(committed(), "pods/ns/a")).hasSize(3);
        assertThat(committed().getLast().change().epoch()).isEqualTo(1);
    }

    /** As when etcd itself is down: leadership does not move. */
    @Test
    void theLeaderStaysWhenEtcdIsUnreachableForAll() throws Exception {
        EtcdLink ofFirst = link();
        EtcdLink ofSecond = link();
        Connector first = startAt(ofFirst);
        await().atMost(SOON).until(() -> first.status().phase() == Phase.FOLLOWING);
        Connector second = startAt(ofSecond);
        await().atMost(SOON).until(() -> second.status().phase() == Phase.STANDBY);

        ofSecond.cut();
        ofFirst.cut();
        await().atMost(SOON).until(() -> second.status().phase() == Phase.WAITING);
        // It has been without etcd for longer than the step-down timeout.
        await().atMost(SOON)
                .until(() ->
                        first.status().lastError().contains("the watch")
                                || first.status().phase() == Phase.WAITING);
        assertThat(first.status().lastError()).doesNotContain("another connector");

        ofFirst.heal();
        put("pods/ns/a", object("a", 1));
        await().atMost(SOON).until(() -> first.status().phase() == Phase.FOLLOWING);
        ofSecond.heal();
        await().atMost(SOON).until(() -> second.status().phase() == Phase.STANDBY);
        connectors.remove(first);
        connectors.add(first);
        awaitMirrored();
        assertMirrorsEtcd();
        assertThat(committed().getLast().change().epoch()).isEqualTo(1);
    }

    private EtcdLink link() throws IOException {
        EtcdLink link = new EtcdLink(etcdServer.endpoint());
        links.add(link);
        return link;
    }

    private Connector startAt(EtcdLink link) {
        return start(config(link.endpoint()).withElection(true));
    }
}

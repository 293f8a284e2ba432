package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.ConnectorStatus.Phase;
import io.tidemark.http.testing.TcpProxy;
import io.tidemark.waits.LongTest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connectors that cannot reach etcd, while others may. */
@LongTest
class StepDownIT extends ConnectorFixture {
    private final List<TcpProxy> links = new ArrayList<>();

    @AfterEach
    void closeLinks() throws IOException {
        for (TcpProxy link : links) {
            link.close();
        }
    }

    @Test
    void aLeaderCutOffFromEtcdGivesUpLeadership() throws Exception {
        TcpProxy link = link();
        Connector first = startAt(link);
        await().until(() -> first.status().phase() == Phase.FOLLOWING);
        Connector second = start(config().withElection(true));
        await().until(() -> second.status().phase() == Phase.STANDBY);
        put("pods/ns/a", object("a", 1));

        link.cut();
        put("pods/ns/a", object("a", 2));
        await().until(() -> second.status().phase() == Phase.FOLLOWING);
        awaitMirrored();
        assertThat(first.status().phase()).isEqualTo(Phase.WAITING);
        assertThat(first.status().lastError()).contains("etcd has not answered");

        heal(link);
        await().until(() -> first.status().phase() == Phase.STANDBY);
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
        TcpProxy ofFirst = link();
        TcpProxy ofSecond = link();
        Connector first = startAt(ofFirst);
        await().until(() -> first.status().phase() == Phase.FOLLOWING);
        Connector second = startAt(ofSecond);
        await().until(() -> second.status().phase() == Phase.STANDBY);

        ofSecond.cut();
        ofFirst.cut();
        await().until(() -> second.status().phase() == Phase.WAITING);
        // It has been without etcd for longer than the step-down timeout.
        await().until(() ->
                first.status().lastError().contains("the watch")
                        || first.status().phase() == Phase.WAITING);
        assertThat(first.status().lastError()).doesNotContain("another connector");

        heal(ofFirst);
        put("pods/ns/a", object("a", 1));
        await().until(() -> first.status().phase() == Phase.FOLLOWING);
        heal(ofSecond);
        await().until(() -> second.status().phase() == Phase.STANDBY);
        connectors.remove(first);
        connectors.add(first);
        awaitMirrored();
        assertMirrorsEtcd();
        assertThat(committed().getLast().change().epoch()).isEqualTo(1);
    }

    private TcpProxy link() throws IOException {
        URI etcd = URI.create(etcdServer.endpoint());
        InetSocketAddress target = new InetSocketAddress(etcd.getHost(), etcd.getPort());
        TcpProxy link = new TcpProxy(target, TcpProxy.Tap.NONE);
        links.add(link);
        return link;
    }

    private Connector startAt(TcpProxy link) {
        return start(config("http://127.0.0.1:" + link.port()).withElection(true));
    }

    /** Requests that were sent during the cut are lost. */
    private static void heal(TcpProxy link) {
        link.dropConnections();
        link.heal();
    }
}

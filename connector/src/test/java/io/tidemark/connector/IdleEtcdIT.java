package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.connector.ConnectorStatus.Phase;
import io.tidemark.connector.MirrorReader.Read;
import io.tidemark.record.Change;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * A connector that resumes at etcd's newest revision marks it again without a new write: reads of
 * "now" ask the connector that the newest mark names.
 */
class IdleEtcdIT extends ConnectorFixture {
    @Test
    void aRestartedConnectorMarksTheRevisionAgain() {
        put("pods/ns/a", object("a", 1));
        Connector first = start(config());
        awaitMirrored();
        first.close();

        Connector second = start(config());
        await().until(() -> second.status().phase() == Phase.FOLLOWING);
        await().until(() -> isKnown(second));
        assertThat(second.status().lastError()).isEmpty();
        assertMirrorsEtcd();
        assertThat(puts(committed(), "pods/ns/a")).hasSize(1);
    }

    @Test
    void aNewLeaderMarksTheRevisionAgain() {
        put("pods/ns/a", object("a", 1));
        Connector first = start(config().withElection(true));
        awaitMirrored();
        Connector second = start(config().withElection(true));
        await().until(() -> second.status().phase() == Phase.STANDBY);
        first.close();

        await().until(() -> isKnown(second));
        assertThat(second.status().lastError()).isEmpty();
        assertThat(puts(committed(), "pods/ns/a")).hasSize(1);
    }

    /** Whether a reader of the topic finds this connector in a mark. */
    private boolean isKnown(Connector connector) {
        Predicate<Read> names =
                read ->
                        read.change() instanceof Change.TideMark mark
                                && mark.connector().endsWith(":" + connector.port());
        return uncommitted().stream().anyMatch(names);
    }
}

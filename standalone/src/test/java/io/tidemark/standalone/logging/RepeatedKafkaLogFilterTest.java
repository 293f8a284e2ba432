package io.tidemark.standalone.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RepeatedKafkaLogFilterTest {
    private static final String CLIENT = "org.apache.kafka.clients.NetworkClient";
    private static final String AWAY = "Connection to node 1 could not be established.";
    private static final long QUIET = RepeatedKafkaLogFilter.QUIET.toMillis();

    private final LoggerContext context = new LoggerContext();
    private final RepeatedKafkaLogFilter filter = new RepeatedKafkaLogFilter();

    private FilterReply decide(String logger, String line, long millis) {
        LoggingEvent event =
                new LoggingEvent(
                        "test", context.getLogger(logger), Level.WARN, line, null, new Object[0]);
        event.setInstant(Instant.ofEpochMilli(millis));
        return filter.decide(event);
    }

    @Test
    void limitsARepeatedLineOfAClient() {
        assertThat(decide(CLIENT, AWAY, 1_000)).isEqualTo(FilterReply.NEUTRAL);
        assertThat(decide(CLIENT, AWAY, 1_200)).isEqualTo(FilterReply.DENY);
        assertThat(decide(CLIENT, AWAY, 999 + QUIET)).isEqualTo(FilterReply.DENY);
        assertThat(decide(CLIENT, AWAY, 1_000 + QUIET)).isEqualTo(FilterReply.NEUTRAL);
        assertThat(decide(CLIENT, AWAY, 1_001 + QUIET)).isEqualTo(FilterReply.DENY);
    }

    @Test
    void keepsOtherLinesAndLoggers() {
        assertThat(decide(CLIENT, AWAY, 1_000)).isEqualTo(FilterReply.NEUTRAL);
        assertThat(decide(CLIENT, "Node 2 disconnected.", 1_000)).isEqualTo(FilterReply.NEUTRAL);
        for (int i = 0; i < 3; i++) {
            assertThat(decide("io.tidemark.Any", AWAY, 1_000)).isEqualTo(FilterReply.NEUTRAL);
        }
    }

    @Test
    void logsAfterABackwardClockStep() {
        assertThat(decide(CLIENT, AWAY, 100_000)).isEqualTo(FilterReply.NEUTRAL);
        assertThat(decide(CLIENT, AWAY, 1_000)).isEqualTo(FilterReply.NEUTRAL);
        assertThat(decide(CLIENT, AWAY, 1_200)).isEqualTo(FilterReply.DENY);
    }

    @Test
    void forgetsOldLines() {
        assertThat(decide(CLIENT, AWAY, 1_000)).isEqualTo(FilterReply.NEUTRAL);
        for (int i = 0; i < 100; i++) {
            assertThat(decide(CLIENT, "node " + i, 1_000)).isEqualTo(FilterReply.NEUTRAL);
        }
        assertThat(decide(CLIENT, AWAY, 1_000)).isEqualTo(FilterReply.NEUTRAL);
    }
}

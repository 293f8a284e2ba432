package io.tidemark.standalone.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExpectedKafkaLogFilterTest {
    private static final String KAFKA = "org.apache.kafka.";

    @Test
    void dropsMessagesOfAnOrdinaryStartOrStop() {
        assertThat(
                        decide(
                                KAFKA + "coordinator.common.runtime.CoordinatorRuntime",
                                "Failed to load metadata",
                                new NotLeaderOrFollowerException("moved")))
                .isEqualTo(FilterReply.DENY);
        assertThat(
                        decide(
                                KAFKA + "clients.NetworkClient",
                                "Attempting to close NetworkClient that has already been closed.",
                                null))
                .isEqualTo(FilterReply.DENY);
        assertThat(
                        decide(
                                KAFKA + "clients.producer.internals.Sender",
                                "Got error produce response. Error: CONCURRENT_TRANSACTIONS",
                                null))
                .isEqualTo(FilterReply.DENY);
    }

    @Test
    void keepsOtherMessagesOfTheSameLoggers() {
        assertThat(
                        decide(
                                KAFKA + "coordinator.common.runtime.CoordinatorRuntime",
                                "Failed to load metadata",
                                new TimeoutException("late")))
                .isEqualTo(FilterReply.NEUTRAL);
        assertThat(decide(KAFKA + "clients.NetworkClient", "Connection could not be made", null))
                .isEqualTo(FilterReply.NEUTRAL);
        assertThat(
                        decide(
                                KAFKA + "clients.producer.internals.Sender",
                                "Got error produce response. Error: CORRUPT_MESSAGE",
                                null))
                .isEqualTo(FilterReply.NEUTRAL);
    }

    private static FilterReply decide(String logger, String message, @Nullable Throwable thrown) {
        LoggerContext context = new LoggerContext();
        Logger source = context.getLogger(logger);
        ILoggingEvent event =
                new LoggingEvent("test", source, Level.WARN, message, thrown, new Object[0]);
        return new ExpectedKafkaLogFilter().decide(event);
    }
}

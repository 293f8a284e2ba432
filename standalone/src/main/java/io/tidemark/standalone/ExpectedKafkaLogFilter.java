package io.tidemark.standalone;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Drops what Kafka logs as trouble in the ordinary course of a start or a stop, and only that.
 * Named in logback.xml.
 */
public final class ExpectedKafkaLogFilter extends Filter<ILoggingEvent> {
    @Override
    public FilterReply decide(ILoggingEvent event) {
        boolean expected =
                isAfterKill(event)
                        || isAtStop(event)
                        || isAfterCommit(event)
                        || isAtFirstUse(event);
        return expected ? FilterReply.DENY : FilterReply.NEUTRAL;
    }

    /** A broker that was killed loads its groups, is let in again, and loads them once more. */
    private static boolean isAfterKill(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        return event.getLoggerName().endsWith(".CoordinatorRuntime")
                && thrown != null
                && thrown.getClassName().endsWith(".NotLeaderOrFollowerException");
    }

    /** The broker's two halves take leave of each other twice. */
    private static boolean isAtStop(ILoggingEvent event) {
        return event.getLoggerName().endsWith(".NetworkClient")
                && event.getMessage().contains("Attempting to close NetworkClient");
    }

    /** The first write of a transaction meets the end of the one before, and is sent again. */
    private static boolean isAfterCommit(ILoggingEvent event) {
        return event.getLoggerName().endsWith(".producer.internals.Sender")
                && event.getFormattedMessage().contains("CONCURRENT_TRANSACTIONS");
    }

    /**
     * Several clients ask for an internal topic that is not there yet; all but the first are late.
     */
    private static boolean isAtFirstUse(ILoggingEvent event) {
        return event.getLoggerName().endsWith(".DefaultAutoTopicCreationManager")
                && event.getFormattedMessage().contains("TOPIC_ALREADY_EXISTS");
    }
}

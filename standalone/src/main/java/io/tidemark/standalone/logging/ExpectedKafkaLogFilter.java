package io.tidemark.standalone.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Drops warnings and errors that Kafka logs during an ordinary start or stop, and only those.
 * Configured in logback.xml.
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

    /** After a kill, a broker loads its groups, is unfenced, and loads them again. */
    private static boolean isAfterKill(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        return event.getLoggerName().endsWith(".CoordinatorRuntime")
                && thrown != null
                && thrown.getClassName().endsWith(".NotLeaderOrFollowerException");
    }

    /** Broker and controller of one process close their connection to each other twice. */
    private static boolean isAtStop(ILoggingEvent event) {
        return event.getLoggerName().endsWith(".NetworkClient")
                && event.getMessage().contains("Attempting to close NetworkClient");
    }

    /** The producer retries a write that arrives before the previous transaction has completed. */
    private static boolean isAfterCommit(ILoggingEvent event) {
        return event.getLoggerName().endsWith(".producer.internals.Sender")
                && event.getFormattedMessage().contains("CONCURRENT_TRANSACTIONS");
    }

    /** Several clients request the creation of an internal topic; all but the first are refused. */
    private static boolean isAtFirstUse(ILoggingEvent event) {
        return event.getLoggerName().endsWith(".DefaultAutoTopicCreationManager")
                && event.getFormattedMessage().contains("TOPIC_ALREADY_EXISTS");
    }
}

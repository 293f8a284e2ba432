package io.tidemark.standalone.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits each message of Kafka's clients about connections to once in ten seconds: while a broker
 * is unreachable, each client retries and logs several times a second. Configured in logback.xml.
 */
public final class RepeatedKafkaLogFilter extends Filter<ILoggingEvent> {
    static final Duration QUIET = Duration.ofSeconds(10);

    private static final int MOST_REMEMBERED = 100;

    /** Time in ms at which each line was logged last, the oldest first. Guarded by this. */
    private final Map<String, Long> shown =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                    return size() > MOST_REMEMBERED;
                }
            };

    @Override
    public synchronized FilterReply decide(ILoggingEvent event) {
        if (!event.getLoggerName().endsWith(".NetworkClient")) {
            return FilterReply.NEUTRAL;
        }
        String line = event.getFormattedMessage();
        long now = event.getTimeStamp();
        Long before = shown.get(line);
        // After a backward clock step the line is logged.
        if (before != null && now >= before && now - before < QUIET.toMillis()) {
            return FilterReply.DENY;
        }
        shown.remove(line);
        shown.put(line, now);
        return FilterReply.NEUTRAL;
    }
}

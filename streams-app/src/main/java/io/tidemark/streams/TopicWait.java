package io.tidemark.streams;

import io.tidemark.streams.group.GroupCommits;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the mirror topic exists: the connector creates it, and may start later. Also waits
 * for records in partitions that were added to it: until then a key's records are in another
 * partition than the one where this node would look for them. Each attempt has a timeout, attempts
 * are a second apart, and every tenth is logged. There is no last attempt.
 */
final class TopicWait {
    private static final Logger LOG = LoggerFactory.getLogger(TopicWait.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int LOG_EVERY = 10;

    /** Without a limit a client waits for its requests, which no broker may answer. */
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private record Found(TopicFacts facts, Set<Integer> unwritten) {}

    private final StreamsSettings settings;
    private final GroupCommits commits;
    private final Consumer<String> onWaiting;

    /** Each is logged once, not with every attempt. */
    private final Set<String> warnings = new HashSet<>();

    /**
     * @param commits receives what the group has committed of the topic
     * @param onWaiting gets what the node waits for, in words
     */
    TopicWait(StreamsSettings settings, GroupCommits commits, Consumer<String> onWaiting) {
        this.settings = settings;
        this.commits = commits;
        this.onWaiting = onWaiting;
    }

    TopicFacts await() throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            String why;
            try {
                Found found = read();
                if (found.unwritten().isEmpty()) {
                    return found.facts();
                }
                why =
                        "topic %s has no records in partitions %s: the connector has to relist"
                                .formatted(settings.topic(), found.unwritten());
            } catch (ExecutionException e) {
                why =
                        e.getCause() instanceof UnknownTopicOrPartitionException
                                ? "topic " + settings.topic() + " does not exist yet"
                                : "Kafka at %s: %s"
                                        .formatted(settings.bootstrapServers(), e.getCause());
            } catch (TimeoutException _) {
                why = "Kafka at " + settings.bootstrapServers() + " does not answer";
            } catch (KafkaException e) {
                why = unusable(settings, e);
            }
            onWaiting.accept(why);
            if (attempt % LOG_EVERY == 0) {
                LOG.info("waiting for the mirror topic, try {}: {}", attempt + 1, why);
            }
            Thread.sleep(PAUSE);
        }
    }

    /** With a new client: none can be made while the brokers' host names do not resolve. */
    private Found read() throws InterruptedException, ExecutionException, TimeoutException {
        Admin admin = Admin.create(KafkaSetup.admin(settings));
        try {
            TopicFacts facts = TopicFacts.read(admin, settings, this::warn);
            commits.read(admin, settings.applicationId(), settings.topic());
            return new Found(
                    facts,
                    UnwrittenPartitions.find(
                            admin, settings.topic(), facts.partitions(), this::warn));
        } finally {
            admin.close(CLOSE);
        }
    }

    private void warn(String warning) {
        if (warnings.add(warning)) {
            LOG.warn("{}", warning);
        }
    }

    /** Why a client could not be made, in words. */
    static String unusable(StreamsSettings settings, KafkaException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return "Kafka at %s: %s".formatted(settings.bootstrapServers(), cause.getMessage());
    }
}

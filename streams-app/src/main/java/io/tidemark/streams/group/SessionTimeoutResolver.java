package io.tidemark.streams.group;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.streams.StreamsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the consumer group's session timeout: the given one, else as short as the brokers allow.
 * A node that dies is replaced only after it.
 */
public final class SessionTimeoutResolver {
    /** The client setting that gives one, in milliseconds. */
    public static final String CLIENT_SETTING =
            StreamsConfig.MAIN_CONSUMER_PREFIX + ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG;

    /** A shorter one would take a long garbage collection pause for a node's death. */
    static final Duration WANTED = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(SessionTimeoutResolver.class);

    /** The brokers' default minimum. */
    private static final Duration DEFAULT = Duration.ofSeconds(6);

    private static final String SETTING = "group.min.session.timeout.ms";
    private static final long TIMEOUT_SECONDS = 20;

    private SessionTimeoutResolver() {}

    /**
     * The session timeout of the settings; without one that is a number, which Kafka rejects with a
     * reason, the wanted one, or the shortest that the brokers allow.
     */
    public static Duration choose(Map<String, Object> settings, Admin admin)
            throws InterruptedException, TimeoutException {
        String given = String.valueOf(settings.get(CLIENT_SETTING));
        return given.matches("[0-9]{1,9}") ? Duration.ofMillis(Long.parseLong(given)) : read(admin);
    }

    private static Duration read(Admin admin) throws InterruptedException, TimeoutException {
        try {
            Collection<Node> brokers =
                    admin.describeCluster().nodes().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            List<ConfigResource> resources =
                    brokers.stream()
                            .map(each ->
                                    new ConfigResource(ConfigResource.Type.BROKER, each.idString()))
                            .toList();
            Duration longest = WANTED;
            for (Config config :
                    admin.describeConfigs(resources)
                            .all()
                            .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                            .values()) {
                ConfigEntry entry = config.get(SETTING);
                Duration least =
                        entry == null ? DEFAULT : Duration.ofMillis(Long.parseLong(entry.value()));
                longest = least.compareTo(longest) > 0 ? least : longest;
            }
            return longest;
        } catch (ExecutionException e) {
            LOG.info(
                    "cannot read the brokers' minimum session timeout ({}): using {}",
                    String.valueOf(e.getCause()),
                    DEFAULT);
            return DEFAULT;
        }
    }
}

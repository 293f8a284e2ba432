package io.tidemark.connector.lead;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the broker for the members of a consumer group. */
record GroupMembers(Admin admin, String group) {
    private static final Logger LOG = LoggerFactory.getLogger(GroupMembers.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /**
     * Whether the group has another member whose session has not expired. False when the broker
     * does not answer.
     */
    boolean hasOthers() throws InterruptedException {
        try {
            return admin
                            .describeConsumerGroups(List.of(group))
                            .all()
                            .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                            .values()
                            .stream()
                            .mapToInt(described -> described.members().size())
                            .sum()
                    > 1;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("cannot list the group's members; assuming there are no others", e);
            return false;
        }
    }
}

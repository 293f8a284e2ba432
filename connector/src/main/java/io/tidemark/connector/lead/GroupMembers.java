package io.tidemark.connector.lead;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who else is in the group of a member; asked of the broker. */
record GroupMembers(Admin admin, String group) {
    private static final Logger LOG = LoggerFactory.getLogger(GroupMembers.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /**
     * Whether there is another member, that the broker has not missed yet. No when it does not say.
     */
    boolean hasOthers() throws InterruptedException {
        try {
            return admin
                            .describeConsumerGroups(List.of(group))
                            .all()
                            .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                            .values()
                            .stream()
                            .mapToInt(described -> described.members().size())
                            .sum()
                    > 1;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("it is not known who else stands", e);
            return false;
        }
    }
}

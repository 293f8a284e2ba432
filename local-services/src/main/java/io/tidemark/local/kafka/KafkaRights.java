package io.tidemark.local.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets the ACLs of a broker that has started. */
public final class KafkaRights {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaRights.class);

    /** Generous: a busy machine starts a broker in this time too. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final long POLL_MILLIS = 20;

    private final Admin admin;
    private final Set<AclBinding> wanted;

    private KafkaRights(Admin admin, Set<AclBinding> wanted) {
        this.admin = admin;
        this.wanted = wanted;
    }

    /**
     * Adds the missing ACLs and removes all others. Returns when the broker decides by them.
     *
     * @throws IOException if the broker does not do so within a minute
     */
    static void set(String bootstrapServers, KafkaAccess access) throws IOException {
        Map<String, Object> settings =
                new HashMap<>(access.logins().clientSettings(KafkaUser.ADMIN));
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("client.id", "tidemark-rights");
        try (Admin admin = Admin.create(settings)) {
            new KafkaRights(admin, access.rights()).set();
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("the Kafka broker did not take its ACLs: " + cause, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void set()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        Set<AclBinding> present = present();
        Set<AclBinding> missing = without(wanted, present);
        Set<AclBinding> superfluous = without(present, wanted);
        if (missing.isEmpty() && superfluous.isEmpty()) {
            return;
        }
        if (!missing.isEmpty()) {
            get(admin.createAcls(missing).all());
        }
        if (!superfluous.isEmpty()) {
            get(admin.deleteAcls(superfluous.stream().map(AclBinding::toFilter).toList()).all());
        }
        LOG.info("Kafka ACLs: {} added, {} removed", missing.size(), superfluous.size());
        // The controller has answered; the broker decides by what it has read from it.
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!present().equals(wanted)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(
                        "the Kafka broker did not take its ACLs within "
                                + TIMEOUT.toSeconds()
                                + " s");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private Set<AclBinding> present()
            throws InterruptedException, ExecutionException, TimeoutException {
        Collection<AclBinding> all = get(admin.describeAcls(AclBindingFilter.ANY).values());
        return Set.copyOf(all);
    }

    private static Set<AclBinding> without(Set<AclBinding> all, Set<AclBinding> others) {
        Set<AclBinding> left = new HashSet<>(all);
        left.removeAll(others);
        return left;
    }

    private static <T> T get(KafkaFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }
}

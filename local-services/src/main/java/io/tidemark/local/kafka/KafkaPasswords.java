package io.tidemark.local.kafka;

import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.scram.ScramCredential;
import org.apache.kafka.common.security.scram.ScramCredentialCallback;
import org.apache.kafka.common.security.scram.internals.ScramFormatter;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;

/**
 * Gives the broker the passwords of {@link KafkaLogins}, from its own settings. Kafka's way,
 * records in the cluster's metadata, would need a login to write them, and would keep a deleted
 * file's password valid. Kafka creates it by its name.
 */
public final class KafkaPasswords implements AuthenticateCallbackHandler {
    /** Of the options with a password, followed by the user. */
    static final String OPTION_PREFIX = "password_";

    /** The fewest that clients accept. The passwords are random: more would protect no better. */
    private static final int ITERATIONS = 4096;

    private final Map<String, String> passwords = new ConcurrentHashMap<>();
    private final Map<String, ScramCredential> made = new ConcurrentHashMap<>();
    private ScramMechanism mechanism = ScramMechanism.SCRAM_SHA_512;

    @Override
    public void configure(
            Map<String, ?> configs, String saslMechanism, List<AppConfigurationEntry> entries) {
        mechanism = ScramMechanism.forMechanismName(saslMechanism);
        for (AppConfigurationEntry entry : entries) {
            entry.getOptions()
                    .forEach((name, value) -> {
                        if (name.startsWith(OPTION_PREFIX)) {
                            passwords.put(name.substring(OPTION_PREFIX.length()), (String) value);
                        }
                    });
        }
    }

    @Override
    public void handle(Callback[] callbacks) throws UnsupportedCallbackException {
        Optional<String> user = Optional.empty();
        for (Callback callback : callbacks) {
            switch (callback) {
                case NameCallback name -> user = Optional.of(name.getDefaultName());
                // Without a credential the login of an unknown user fails.
                case ScramCredentialCallback wanted ->
                        user.filter(passwords::containsKey)
                                .map(known -> made.computeIfAbsent(known, this::credential))
                                .ifPresent(wanted::scramCredential);
                default -> throw new UnsupportedCallbackException(callback);
            }
        }
    }

    private ScramCredential credential(String user) {
        try {
            return new ScramFormatter(mechanism)
                    .generateCredential(passwords.get(user), ITERATIONS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java lacks " + mechanism, e);
        }
    }

    @Override
    public void close() {
        passwords.clear();
        made.clear();
    }
}

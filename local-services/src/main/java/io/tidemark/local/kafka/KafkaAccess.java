package io.tidemark.local.kafka;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclBinding;

/**
 * Who may do what at an {@link EmbeddedKafka}. All clients log in, the controller's too: at its
 * port every user of the machine could change the ACLs otherwise.
 *
 * @param logins its users
 * @param rights the ACLs, exactly; others are removed at each start
 */
public record KafkaAccess(KafkaLogins logins, Set<AclBinding> rights) {
    public KafkaAccess {
        rights = Set.copyOf(rights);
    }

    /** The broker's properties. */
    Map<String, String> brokerProperties() {
        Map<String, String> properties = new TreeMap<>();
        properties.put(
                "listener.security.protocol.map",
                "CLIENTS:%s,CONTROLLER:SASL_PLAINTEXT".formatted(logins.tls().protocol()));
        properties.put("sasl.enabled.mechanisms", KafkaLogins.MECHANISM);
        properties.put("sasl.mechanism.inter.broker.protocol", KafkaLogins.MECHANISM);
        properties.put("sasl.mechanism.controller.protocol", KafkaLogins.MECHANISM);
        for (String listener : new String[] {"clients", "controller"}) {
            String prefix = "listener.name." + listener + "." + "scram-sha-512.";
            properties.put(prefix + "sasl.jaas.config", logins.brokerJaas());
            properties.put(
                    prefix + "sasl.server.callback.handler.class", KafkaPasswords.class.getName());
        }
        properties.putAll(logins.tls().brokerProperties("listener.name.clients."));
        properties.put(
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        properties.put("allow.everyone.if.no.acl.found", "false");
        properties.put(
                "super.users",
                Arrays.stream(KafkaUser.values())
                        .filter(KafkaUser::hasAllRights)
                        .map(KafkaUser::principal)
                        .collect(Collectors.joining(";")));
        return properties;
    }
}

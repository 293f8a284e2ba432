package io.tidemark.local.kafka;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Whether the clients of an {@link EmbeddedKafka} use TLS. */
public sealed interface KafkaTls {
    /** Without TLS, for loopback addresses. */
    record None() implements KafkaTls {}

    /**
     * With TLS.
     *
     * @param certificates the broker's certificate and those of its issuers, in PEM
     * @param key the certificate's private key, in PEM (PKCS#8, not encrypted)
     * @param authority file by which clients trust the certificate; empty for Java's trust store
     */
    record Server(String certificates, String key, Optional<Path> authority) implements KafkaTls {
        /** The authority; no key. */
        @Override
        public String toString() {
            return "TLS, trusted by " + authority;
        }
    }

    /** Kafka's name of the protocol. */
    default String protocol() {
        return this instanceof Server ? "SASL_SSL" : "SASL_PLAINTEXT";
    }

    /** What clients need besides their login. */
    default Map<String, String> clientSettings() {
        return this instanceof Server server && server.authority().isPresent()
                ? Map.of(
                        "ssl.truststore.type",
                        "PEM",
                        "ssl.truststore.location",
                        server.authority().get().toAbsolutePath().toString())
                : Map.of();
    }

    /**
     * The broker's properties.
     *
     * @param prefix of the listener's properties
     */
    default Map<String, String> brokerProperties(String prefix) {
        Map<String, String> properties = new TreeMap<>();
        if (this instanceof Server server) {
            properties.put(prefix + "ssl.keystore.type", "PEM");
            properties.put(prefix + "ssl.keystore.certificate.chain", server.certificates());
            properties.put(prefix + "ssl.keystore.key", server.key());
            // The broker is a client of itself.
            clientSettings().forEach((name, value) -> properties.put(prefix + name, value));
        }
        return properties;
    }
}

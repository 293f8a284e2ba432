package io.tidemark.local.kafka;

import java.util.Locale;

/** The users of an {@link EmbeddedKafka} with logins. */
public enum KafkaUser {
    /** The broker and its controller, between themselves; all rights. */
    BROKER,
    /** An operator; all rights. */
    ADMIN,
    /** Connectors. */
    CONNECTOR,
    /** Nodes. */
    NODE;

    /** The name to log in with, such as {@code node}. */
    public String login() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name in ACLs, such as {@code User:node}. */
    public String principal() {
        return "User:" + login();
    }

    /** Whether every request of this user is allowed. */
    boolean hasAllRights() {
        return this == BROKER || this == ADMIN;
    }
}

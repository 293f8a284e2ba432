package io.tidemark.simulation.model;

import java.util.Set;

/** Who a simulated client is. */
public record Identity(String user, Set<String> groups) {
    public Identity {
        groups = Set.copyOf(groups);
    }

    @Override
    public String toString() {
        return user;
    }
}

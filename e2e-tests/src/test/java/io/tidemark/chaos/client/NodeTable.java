package io.tidemark.chaos.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The nodes' addresses, as known to a client that balances its load itself: it avoids a node that
 * is not ready, and for a second one that refused a connection. It does not know the faults.
 */
public final class NodeTable {
    private static final long EXCLUSION_NANOS = 1_000_000_000L;

    /** A node's address. */
    public record Address(int slot, String host, int port) {}

    private final List<Address> nodes;
    private final AtomicLongArray downUntil;
    private final Set<Integer> unready = ConcurrentHashMap.newKeySet();

    public NodeTable(List<Address> nodes) {
        this.nodes = List.copyOf(nodes);
        downUntil = new AtomicLongArray(nodes.size());
        long now = System.nanoTime();
        for (int i = 0; i < nodes.size(); i++) {
            downUntil.set(i, now);
        }
    }

    public int size() {
        return nodes.size();
    }

    public Address node(int slot) {
        return nodes.get(slot);
    }

    /** The result of the last look at its {@code /readyz}. */
    void updateReadiness(Address node, boolean ready) {
        if (ready) {
            unready.remove(node.slot());
        } else {
            unready.add(node.slot());
        }
    }

    List<Address> all() {
        return nodes;
    }

    /**
     * A node that seems to be up, not {@code except} if there is another; if none does, one that
     * has not refused just now; and any if all have.
     */
    Address pick(SplittableRandom random, int except) {
        long now = System.nanoTime();
        List<Address> open = new ArrayList<>();
        for (Address node : nodes) {
            if (node.slot() != except && downUntil.get(node.slot()) - now <= 0) {
                open.add(node);
            }
        }
        List<Address> up = new ArrayList<>(open);
        up.removeIf(node -> unready.contains(node.slot()));
        List<Address> among = up.isEmpty() ? open.isEmpty() ? nodes : open : up;
        return among.get(random.nextInt(among.size()));
    }

    void refused(Address node) {
        downUntil.set(node.slot(), System.nanoTime() + EXCLUSION_NANOS);
    }
}

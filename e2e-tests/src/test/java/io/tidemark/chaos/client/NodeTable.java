package io.tidemark.chaos.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The nodes' addresses, as a client that balances its load itself knows them: one that is not
 * ready, and one that refused a connection is left out for a second. It is told nothing of the
 * faults.
 */
public final class NodeTable {
    private static final long EXCLUSION_NANOS = 1_000_000_000L;

    /** Where a node answers. */
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

    /** What the last look at its {@code /readyz} said. */
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
     * One that seems to be up, not {@code except} if there is another; when none does, one that did
     * not refuse just now; and any when all did.
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

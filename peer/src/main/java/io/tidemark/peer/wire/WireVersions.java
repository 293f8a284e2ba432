package io.tidemark.peer.wire;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The versions of messages that a node speaks. Each node announces its own; the reader of a replica
 * uses the newest version that both speak, and the replica's node answers in the version of the
 * request.
 */
public final class WireVersions {
    /**
     * All that this program speaks: the newest version and its predecessor, so that nodes of two
     * successive versions read each other.
     */
    private static final List<WireVersion> KNOWN = List.of(new WireVersion5(), new WireVersion6());

    /** What nodes speak that announce nothing. Goes together with {@link WireVersion5}. */
    public static final String UNANNOUNCED = "5";

    /** The newest version. */
    public static final int NEWEST = KNOWN.getLast().number();

    /** An announcement has few numbers. */
    private static final int MAX_ANNOUNCED = 100;

    private final List<WireVersion> spoken;

    private WireVersions(List<WireVersion> spoken) {
        this.spoken = spoken;
    }

    /** All versions. */
    public static WireVersions all() {
        return new WireVersions(KNOWN);
    }

    /**
     * The versions through {@code newest}.
     *
     * @throws IllegalArgumentException when this program does not speak that version
     */
    public static WireVersions through(int newest) {
        if (KNOWN.stream().noneMatch(version -> version.number() == newest)) {
            throw new IllegalArgumentException(
                    "peer version %d is unknown: one of %s"
                            .formatted(newest, all().announcement()));
        }
        return new WireVersions(
                KNOWN.stream().filter(version -> version.number() <= newest).toList());
    }

    /** Oldest first; never empty. */
    public List<WireVersion> spoken() {
        return spoken;
    }

    /** The newest version that is spoken. */
    public WireVersion newest() {
        return spoken.getLast();
    }

    /** The numbers, oldest first, separated by blanks. */
    public String announcement() {
        return spoken.stream()
                .map(version -> Integer.toString(version.number()))
                .collect(Collectors.joining(" "));
    }

    /**
     * The newest version that the node with this announcement speaks too; empty when there is none.
     *
     * @throws WireException when it is no announcement
     */
    public Optional<WireVersion> newestCommon(String announcement) throws WireException {
        TreeSet<Integer> others = new TreeSet<>();
        String[] numbers = announcement.strip().split(" +", MAX_ANNOUNCED + 1);
        for (String number : numbers) {
            if (!number.matches("\\d{1,6}") || numbers.length > MAX_ANNOUNCED) {
                throw new WireException("no announcement of peer versions");
            }
            others.add(Integer.valueOf(number));
        }
        return spoken.reversed().stream()
                .filter(version -> others.contains(version.number()))
                .findFirst();
    }
}

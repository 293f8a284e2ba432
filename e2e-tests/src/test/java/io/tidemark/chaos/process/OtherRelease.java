package io.tidemark.chaos.process;

import java.util.List;
import java.util.Optional;

/**
 * A release that processes run beside today's, to be upgraded from it and downgraded to it.
 *
 * @param name for people
 * @param classPath of its jars; empty for today's, which then stands in for it by its options
 * @param nodeOptions further options of its nodes
 */
public record OtherRelease(String name, Optional<String> classPath, List<String> nodeOptions) {
    public OtherRelease {
        nodeOptions = List.copyOf(nodeOptions);
    }

    /** Nodes and connectors run these jars. */
    public static OtherRelease ofJars(String name, String classPath) {
        return new OtherRelease(name, Optional.of(classPath), List.of());
    }

    /** Nodes of today's release that speak no newer peer version than this. */
    public static OtherRelease ofPeerVersion(int version) {
        String number = Integer.toString(version);
        return new OtherRelease(
                "peer version " + number, Optional.empty(), List.of("--peer-version", number));
    }

    /** Whether connectors differ between the releases, too. */
    public boolean hasConnectors() {
        return classPath.isPresent();
    }
}

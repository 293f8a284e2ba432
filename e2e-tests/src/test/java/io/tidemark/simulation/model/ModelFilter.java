package io.tidemark.simulation.model;

import io.tidemark.record.Bytes;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated client requests: the oracle's independent model of prefixes and selectors.
 *
 * @param prefix keys must start with it; a whole key for a GET
 * @param objectsOnly omit values that are no Kubernetes object
 * @param labels that must have exactly these values
 * @param selector that must match, too
 * @param shard whose objects match
 * @param shows the part of each object that the client gets
 * @param secrets what becomes of Secrets
 */
public record ModelFilter(
        Bytes prefix,
        boolean objectsOnly,
        Map<String, String> labels,
        ModelSelector selector,
        ModelShard shard,
        Part shows,
        Secrets secrets) {
    /** A part of an object. */
    public enum Part {
        /** The value. */
        WHOLE,
        /** Name, labels and content of an object, without its type. */
        OBJECT,
        /** Name and labels. */
        METADATA
    }

    /** How Secrets are shown. */
    public enum Secrets {
        /** As all other values. */
        SHOWN,
        /** Without their values. */
        EMPTY,
        /** Not at all: a key that holds one counts as deleted. */
        ABSENT
    }

    public ModelFilter {
        labels = Map.copyOf(labels);
    }

    /** Whole values. */
    public ModelFilter(Bytes prefix, boolean objectsOnly, Map<String, String> labels) {
        this(
                prefix,
                objectsOnly,
                labels,
                ModelSelector.NONE,
                ModelShard.ALL,
                Part.WHOLE,
                Secrets.SHOWN);
    }

    /** The same, with Secrets in another way. */
    public ModelFilter with(Secrets newSecrets) {
        return new ModelFilter(prefix, objectsOnly, labels, selector, shard, shows, newSecrets);
    }

    /** The same of one shard. */
    public ModelFilter with(ModelShard newShard) {
        return new ModelFilter(prefix, objectsOnly, labels, selector, newShard, shows, secrets);
    }

    public boolean matches(@Nullable Version version) {
        return version != null
                && version.key().startsWith(prefix)
                && !(secrets == Secrets.ABSENT && version.isSecret())
                && (!objectsOnly || version.payload().object())
                && version.payload().labels().entrySet().containsAll(labels.entrySet())
                && selector.matches(version)
                && shard.contains(version);
    }

    /** What the client gets of a version. */
    public String shown(Version version) {
        if (secrets == Secrets.EMPTY && version.isSecret()) {
            return "";
        }
        return switch (shows) {
            case WHOLE -> version.payload().shown();
            case OBJECT ->
                    metadata(name(version.key()), version.payload().labels())
                            + version.payload().serial();
            case METADATA -> metadata(name(version.key()), version.payload().labels());
        };
    }

    /** The object of a version in an answer. */
    public Item item(Version version) {
        return new Item(version.key(), version.revision(), shown(version));
    }

    /** Name and labels as text. */
    public static String metadata(String name, Map<String, String> labels) {
        return name + " " + new TreeMap<>(labels);
    }

    static String name(Bytes key) {
        String path = key.utf8();
        return path.substring(path.lastIndexOf('/') + 1);
    }
}

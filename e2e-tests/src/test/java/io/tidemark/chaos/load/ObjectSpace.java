package io.tidemark.chaos.load;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.ModelFilter;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The objects that a run writes: config maps by number, spread over namespaces. An object's number
 * determines its key and its name, so clients record only the number.
 *
 * @param objects how many numbers there are; about nine of ten exist at any time
 * @param valueBytes of one value, about
 */
public record ObjectSpace(int objects, int namespaces, int valueBytes) {
    /** Values of the one label. */
    public static final int APPS = 50;

    /** The first few are written much more often than the others. */
    private static final int HOT = 50;

    private static final Bytes ALL = Bytes.utf8("/registry/configmaps/");
    private static final String PADDING = "the tide comes in, the tide goes out; ";

    public ObjectSpace {
        if (objects < HOT || namespaces < 1 || namespaces > objects || namespaces > 999) {
            throw new IllegalArgumentException(
                    "%d objects (%d at least) in %d namespaces"
                            .formatted(objects, HOT, namespaces));
        }
    }

    public String namespace(int namespace) {
        return "ns-%03d".formatted(namespace);
    }

    public int namespaceOf(int index) {
        return index % namespaces;
    }

    public String name(int index) {
        return "cm-%07d".formatted(index);
    }

    public Bytes key(int index) {
        return Bytes.utf8(
                "/registry/configmaps/" + namespace(namespaceOf(index)) + "/" + name(index));
    }

    /**
     * The number of an object, from what an answer or an event contains of it; -1 when the run did
     * not write it.
     */
    public int index(String namespace, String name) {
        if (!name.startsWith("cm-") || name.length() != 10) {
            return -1;
        }
        int index = Integer.parseInt(name, 3, 10, 10);
        return index < objects && namespace(namespaceOf(index)).equals(namespace) ? index : -1;
    }

    /** A number to write to. */
    public int pick(SplittableRandom random) {
        return random.nextInt(10) == 0 ? random.nextInt(HOT) : random.nextInt(objects);
    }

    public int pickHot(SplittableRandom random) {
        return random.nextInt(HOT);
    }

    public static String app(int app) {
        return "app-" + app;
    }

    /**
     * A value as a client would write it, made unique by {@code serial}.
     *
     * @param app value of the label, from 0
     */
    public Bytes value(int index, int app, long serial) {
        String head =
                """
                {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"%s","namespace":"%s",\
                "labels":{"app":"%s"}},"data":{"serial":"%d","text":\"\
                """
                        .formatted(name(index), namespace(namespaceOf(index)), app(app), serial);
        int padding = Math.max(0, valueBytes - head.length() - 3);
        String text = PADDING.repeat(padding / PADDING.length() + 1).substring(0, padding);
        return Bytes.utf8(head + text + "\"}}");
    }

    public ModelFilter everything() {
        return new ModelFilter(ALL, true, Map.of());
    }

    public ModelFilter withApp(int app) {
        return new ModelFilter(ALL, true, Map.of("app", app(app)));
    }

    public ModelFilter inNamespace(int namespace) {
        return new ModelFilter(ALL.concat(Bytes.utf8(namespace(namespace) + "/")), true, Map.of());
    }

    public ModelFilter inNamespaceWithApp(int namespace, int app) {
        return new ModelFilter(inNamespace(namespace).prefix(), true, Map.of("app", app(app)));
    }

    public ModelFilter one(int index) {
        return new ModelFilter(key(index), true, Map.of());
    }
}

package io.tidemark.chaos.client;

import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.simulation.model.ModelFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a watcher requests.
 *
 * @param path with its selectors, without the watch's own parameters
 * @param interest the same filter in the checkers' type
 */
public record WatchTarget(String name, String path, ModelFilter interest) {
    private static final String ALL = "/api/v1/configmaps";

    /**
     * Of fifty watchers, one watches everything, two a label in all namespaces, five one object,
     * ten a label in a namespace, and the rest a namespace.
     */
    public static List<WatchTarget> mix(ObjectSpace space, int count, SplittableRandom random) {
        List<WatchTarget> targets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int namespace = random.nextInt(space.namespaces());
            int app = random.nextInt(ObjectSpace.APPS);
            int kind = i % 50;
            String name = "watch-%03d".formatted(i);
            targets.add(
                    switch (kind) {
                        case 0 -> new WatchTarget(name, ALL, space.everything());
                        case 1, 2 -> new WatchTarget(name, ALL + selector(app), space.withApp(app));
                        case 3, 4, 5, 6, 7 -> one(name, space, space.pickHot(random));
                        default -> {
                            String path = path(space, namespace);
                            yield kind < 18
                                    ? new WatchTarget(
                                            name,
                                            path + selector(app),
                                            space.inNamespaceWithApp(namespace, app))
                                    : new WatchTarget(name, path, space.inNamespace(namespace));
                        }
                    });
        }
        return targets;
    }

    private static WatchTarget one(String name, ObjectSpace space, int index) {
        return new WatchTarget(
                name,
                path(space, space.namespaceOf(index))
                        + "?fieldSelector=metadata.name%3D"
                        + space.name(index),
                space.one(index));
    }

    static String path(ObjectSpace space, int namespace) {
        return "/api/v1/namespaces/" + space.namespace(namespace) + "/configmaps";
    }

    static String selector(int app) {
        return "?labelSelector=app%3D" + ObjectSpace.app(app);
    }
}

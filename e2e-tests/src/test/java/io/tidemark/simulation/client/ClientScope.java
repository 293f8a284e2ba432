package io.tidemark.simulation.client;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.world.Settings;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a client requests, in the oracle's types and in production's. */
record ClientScope(ModelFilter interest, KeyScope keys, Selection selection) {
    /** One scope of each kind. */
    static final List<ClientScope> ALL =
            List.of(
                    objects(KeyScope.directory(Bytes.utf8("/registry/pods/blue/")), ""),
                    objects(KeyScope.collection(Bytes.utf8("/registry/pods/")), ""),
                    objects(KeyScope.collection(Bytes.utf8("/registry/pods/")), "web"),
                    objects(KeyScope.directory(Bytes.utf8("/registry/pods/red/")), "db"),
                    objects(KeyScope.directory(Bytes.utf8("/registry/minions/")), ""),
                    objects(KeyScope.exact(Bytes.utf8("/registry/pods/green/p1")), ""),
                    objects(KeyScope.collection(Bytes.utf8("/registry/events/")), ""),
                    everything());

    private static ClientScope objects(KeyScope keys, String app) {
        Map<String, String> labels = app.isEmpty() ? Map.of() : Map.of("app", app);
        List<Requirement> requirements =
                labels.entrySet().stream()
                        .map(label ->
                                new Requirement(
                                        Source.LABEL,
                                        label.getKey(),
                                        Operator.IN,
                                        Set.of(label.getValue())))
                        .toList();
        return new ClientScope(
                new ModelFilter(keys.key(), true, labels), keys, new Selection(true, requirements));
    }

    private static ClientScope everything() {
        return new ClientScope(
                new ModelFilter(Settings.PREFIX, false, Map.of()),
                KeyScope.prefix(Settings.PREFIX),
                Selection.ALL);
    }
}

package io.tidemark.simulation.client;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.encode.ObjectEncoders;
import io.tidemark.query.select.FieldSelectors;
import io.tidemark.query.select.LabelSelectors;
import io.tidemark.query.shard.ShardSelector;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.simulation.model.Demand;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.model.ModelFilter.Secrets;
import io.tidemark.simulation.model.ModelSelector;
import io.tidemark.simulation.model.ModelShard;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.SecretMode;
import io.tidemark.simulation.world.Settings;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a client requests, in the oracle's types and in production's. */
record ClientScope(ModelFilter interest, KeyScope keys, Selection selection, ClientForm form) {
    /** The directories that have another name than their resource. */
    private static final Map<String, String> RESOURCES = Map.of("minions", "nodes");

    private static final KeyScope BLUE = KeyScope.directory(Bytes.utf8("/registry/pods/blue/"));
    private static final KeyScope RED = KeyScope.directory(Bytes.utf8("/registry/pods/red/"));
    private static final KeyScope PODS = KeyScope.collection(Bytes.utf8("/registry/pods/"));

    /** Scopes, selectors and forms. Only keys of one directory follow from names of objects. */
    private static final List<ClientScope> ALL =
            List.of(
                    objects(KeyScope.directory(Bytes.utf8("/registry/pods/blue/")), ""),
                    objects(KeyScope.collection(Bytes.utf8("/registry/pods/")), ""),
                    objects(KeyScope.collection(Bytes.utf8("/registry/pods/")), "web"),
                    objects(KeyScope.directory(Bytes.utf8("/registry/pods/red/")), "db"),
                    objects(KeyScope.directory(Bytes.utf8("/registry/minions/")), ""),
                    objects(KeyScope.exact(Bytes.utf8("/registry/pods/green/p1")), ""),
                    objects(KeyScope.collection(Bytes.utf8("/registry/events/")), ""),
                    everything(),
                    selected(PODS, ModelSelector.WEB_OR_JOB, ClientForm.KEY_VALUES),
                    selected(BLUE, ModelSelector.NAME_P1, ClientForm.KEY_VALUES),
                    selected(BLUE, ModelSelector.NONE, ClientForm.OBJECTS),
                    selected(RED, ModelSelector.WEB_NOT_P2, ClientForm.OBJECTS),
                    selected(BLUE, ModelSelector.WEB, ClientForm.METADATA),
                    selected(RED, ModelSelector.NOT_JOB, ClientForm.TABLE),
                    selected(BLUE, ModelSelector.NONE, ClientForm.TABLE),
                    selected(
                            KeyScope.exact(Bytes.utf8("/registry/pods/red/p1")),
                            ModelSelector.DB,
                            ClientForm.METADATA));

    private static final Bytes SECRETS = Bytes.utf8("/registry/secrets/");

    /** Scopes of Secrets. */
    private static final List<ClientScope> OF_SECRETS =
            List.of(
                    objects(KeyScope.collection(SECRETS), ""),
                    objects(KeyScope.collection(SECRETS), "web"),
                    selected(secretsOf("blue/"), ModelSelector.NONE, ClientForm.OBJECTS),
                    selected(secretsOf("red/"), ModelSelector.NOT_JOB, ClientForm.METADATA),
                    selected(secretsOf("green/"), ModelSelector.NONE, ClientForm.TABLE),
                    objects(KeyScope.exact(SECRETS.concat(Bytes.utf8("blue/s1"))), ""));

    private static KeyScope secretsOf(String namespace) {
        return KeyScope.directory(SECRETS.concat(Bytes.utf8(namespace)));
    }

    /** One of the scopes of a world; where there are Secrets, often one of theirs. */
    static ClientScope pick(Scheduler scheduler, SecretMode secrets) {
        boolean ofSecrets = secrets.areMirrored() && scheduler.oneIn(2);
        ClientScope picked = scheduler.pick(ofSecrets ? OF_SECRETS : ALL);
        return picked.with(secrets == SecretMode.SHOWN ? Secrets.SHOWN : Secrets.ABSENT);
    }

    private ClientScope with(Secrets secrets) {
        return new ClientScope(interest.with(secrets), keys, selection, form);
    }

    Resource resource() {
        return keys.key().startsWith(SECRETS) ? ClientForm.SECRETS : ClientForm.PODS;
    }

    EventEncoder events(ObjectEncoders encoders) {
        return form.events(encoders, resource());
    }

    /** The same in protobuf, where that has a form of it. */
    ClientScope inProtobuf() {
        return new ClientScope(interest, keys, selection, form.inProtobuf());
    }

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
                new ModelFilter(keys.key(), true, labels),
                keys,
                new Selection(true, requirements),
                ClientForm.KEY_VALUES);
    }

    private static ClientScope selected(KeyScope keys, ModelSelector selector, ClientForm form) {
        List<Requirement> requirements = new ArrayList<>();
        if (!selector.labels().isEmpty()) {
            requirements.addAll(LabelSelectors.parse(selector.labels()));
        }
        if (!selector.fields().isEmpty()) {
            requirements.addAll(FieldSelectors.parse(selector.fields(), ClientForm.PODS));
        }
        return new ClientScope(
                new ModelFilter(
                        keys.key(),
                        true,
                        Map.of(),
                        selector,
                        ModelShard.ALL,
                        form.part(),
                        Secrets.SHOWN),
                keys,
                new Selection(true, requirements),
                form);
    }

    /** One shard of the same; all of it where clients cannot request one. */
    ClientScope of(ModelShard shard) {
        Optional<ShardSelector> selector = ShardSelector.parse(shard.selector());
        if (form == ClientForm.KEY_VALUES || selector.isEmpty()) {
            return this;
        }
        List<Requirement> requirements = new ArrayList<>(selection.requirements());
        requirements.add(selector.get().requirement());
        return new ClientScope(
                interest.with(shard),
                keys,
                new Selection(selection.kubernetesOnly(), requirements),
                form);
    }

    /** The key of an object of this scope, by its name. */
    Bytes keyOf(String name) {
        return keys.kind() == KeyScope.Kind.EXACT
                ? keys.key()
                : keys.key().concat(Bytes.utf8(name));
    }

    /**
     * The rights that a request for it needs: those to the objects, and under {@code /kv} the one
     * to the path.
     *
     * @param watch whether it is a watch or a long poll
     */
    List<Demand> demands(boolean watch) {
        boolean one = keys.kind() == KeyScope.Kind.EXACT;
        String verb = watch ? "watch" : one ? "get" : "list";
        String path = keys.key().utf8();
        List<String> parts = List.of(path.substring(Settings.PREFIX.length()).split("/"));
        String resource = RESOURCES.getOrDefault(parts.getFirst(), parts.getFirst());
        String namespace = parts.size() > 1 ? parts.get(1) : "";
        Demand objects =
                resource.isEmpty()
                        ? new Demand.OfObjects(verb, "*", "", "")
                        : new Demand.OfObjects(verb, resource, namespace, one ? parts.get(2) : "");
        return form == ClientForm.KEY_VALUES
                ? List.of(new Demand.OfPath("get", "/kv" + path + (one ? "" : "*")), objects)
                : List.of(objects);
    }

    private static ClientScope everything() {
        return new ClientScope(
                new ModelFilter(Settings.PREFIX, false, Map.of()),
                KeyScope.prefix(Settings.PREFIX),
                Selection.ALL,
                ClientForm.KEY_VALUES);
    }
}

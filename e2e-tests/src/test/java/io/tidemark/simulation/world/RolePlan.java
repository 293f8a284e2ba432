package io.tidemark.simulation.world;

import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Identity;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.RbacValue;
import io.tidemark.simulation.model.RbacValue.Rule;
import io.tidemark.simulation.world.Step.KeyWrite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The writes that grant and revoke clients' rights, some together with other keys. */
public final class RolePlan {
    private static final List<String> NAMESPACES = List.of("blue", "green", "red");
    private static final Set<String> READS = Set.of("get", "list", "watch");
    private static final String READER = "reader";
    private static final String PODS = "pods";
    private static final String ROOT = "/registry/";

    private final SplittableRandom random;
    private final Settings settings;
    private final List<Step> steps = new ArrayList<>();
    private long serial;

    private RolePlan(SplittableRandom random, Settings settings) {
        this.random = random;
        this.settings = settings;
    }

    /** The identity of a client, by its number. */
    public static Identity identity(int number) {
        return new Identity("client-" + number, Set.of("team-" + number % 2));
    }

    static List<Step> steps(SplittableRandom random, Settings settings) {
        RolePlan plan = new RolePlan(random, settings);
        plan.begin();
        for (int i = random.nextInt(3, 15); i > 0; i--) {
            plan.change(random.nextLong(settings.millis()));
        }
        return plan.steps;
    }

    /** Each client may read everything at first. */
    private void begin() {
        List<KeyWrite> writes = new ArrayList<>();
        writes.add(role("", READER, reader(READS)));
        writes.add(role("", PODS, podReader(READS)));
        NAMESPACES.forEach(namespace -> writes.add(role(namespace, PODS, podReader(READS))));
        IntStream.range(0, settings.clients())
                .forEach(client -> writes.add(clusterBinding(client, READER)));
        steps.add(new Step.Write(random.nextLong(300), writes, false));
    }

    /** One change, which is often undone later, so that clients do not stay without a right. */
    private void change(long at) {
        int client = random.nextInt(settings.clients());
        String namespace = pick(NAMESPACES);
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> {
                write(at, delete(clusterBindingKey(client)));
                undo(at, clusterBinding(client, READER));
            }
            case 3 -> {
                write(at, clusterBinding(client, pick(List.of(PODS, READER, "missing"))));
                undo(at, clusterBinding(client, READER));
            }
            case 4 -> write(at, binding(namespace, client));
            case 5 -> write(at, delete(bindingKey(namespace, client)));
            case 6 -> {
                write(at, role("", READER, reader(verbs())));
                undo(at, role("", READER, reader(READS)));
            }
            case 7 -> {
                String home = random.nextBoolean() ? "" : namespace;
                write(at, role(home, PODS, podReader(verbs())));
            }
            case 8 -> {
                write(at, delete(roleKey("", READER)));
                undo(at, role("", READER, reader(READS)));
            }
            default -> {
                write(at, new KeyWrite(roleKey("", READER), Payload.raw("broken-" + serial++)));
                undo(at, role("", READER, reader(READS)));
            }
        }
    }

    private void undo(long at, KeyWrite write) {
        if (random.nextInt(8) > 0) {
            write(at + random.nextLong(random.nextBoolean() ? 300 : 2_500), write);
        }
    }

    /** Sometimes with an object in the same transaction. */
    private void write(long at, KeyWrite write) {
        Map<Bytes, KeyWrite> writes = new LinkedHashMap<>();
        writes.put(write.key(), write);
        if (random.nextInt(3) == 0) {
            String name = "p" + random.nextInt(4);
            Bytes key = Bytes.utf8(ROOT + "pods/" + pick(NAMESPACES) + "/" + name);
            Payload pod =
                    Payload.object(
                            name, Map.of("app", "web"), 1_000_000 + serial++, Payload.Style.SPACED);
            writes.put(key, new KeyWrite(key, pod));
        }
        steps.add(new Step.Write(at, List.copyOf(writes.values()), false));
    }

    private Set<String> verbs() {
        return switch (random.nextInt(4)) {
            case 0 -> Set.of("get");
            case 1 -> Set.of("list", "get");
            case 2 -> Set.of("watch");
            default -> READS;
        };
    }

    private RbacValue reader(Set<String> verbs) {
        return new RbacValue.Role(
                List.of(
                        Rule.objects(verbs, Set.of("*"), Set.of()),
                        Rule.paths(random.nextInt(8) == 0 ? "/kv/registry/pods/*" : "/kv/*")));
    }

    private RbacValue podReader(Set<String> verbs) {
        Set<String> names = random.nextInt(4) == 0 ? Set.of("p1", "p2") : Set.of();
        return new RbacValue.Role(
                List.of(
                        Rule.objects(verbs, Set.of(PODS), names),
                        Rule.paths("/kv/registry/pods/*")));
    }

    private KeyWrite role(String namespace, String name, RbacValue role) {
        return new KeyWrite(roleKey(namespace, name), Payload.rbac(namespace, name, role));
    }

    private KeyWrite clusterBinding(int client, String role) {
        String name = identity(client).user();
        return new KeyWrite(
                clusterBindingKey(client), Payload.rbac("", name, binding(client, true, role)));
    }

    private KeyWrite binding(String namespace, int client) {
        String name = identity(client).user();
        return new KeyWrite(
                bindingKey(namespace, client),
                Payload.rbac(namespace, name, binding(client, random.nextBoolean(), PODS)));
    }

    /** To the client, or to all clients of its group. */
    private RbacValue binding(int client, boolean toClusterRole, String role) {
        Identity who = identity(client);
        boolean one = random.nextInt(4) > 0;
        return new RbacValue.Binding(
                toClusterRole,
                role,
                one ? Set.of(who.user()) : Set.of(),
                one ? Set.of() : who.groups());
    }

    private static KeyWrite delete(Bytes key) {
        @Nullable Payload none = null;
        return new KeyWrite(key, none);
    }

    private static Bytes roleKey(String namespace, String name) {
        return Bytes.utf8(
                ROOT + (namespace.isEmpty() ? "clusterroles/" : "roles/" + namespace + "/") + name);
    }

    private static Bytes clusterBindingKey(int client) {
        return Bytes.utf8(ROOT + "clusterrolebindings/" + identity(client).user());
    }

    private static Bytes bindingKey(String namespace, int client) {
        return Bytes.utf8(ROOT + "rolebindings/" + namespace + "/" + identity(client).user());
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}

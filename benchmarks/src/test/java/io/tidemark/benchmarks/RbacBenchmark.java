package io.tidemark.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.RbacId;
import io.tidemark.authorization.RbacKind;
import io.tidemark.authorization.RbacRules;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One authorization check of a caller in 30 groups, with 2,000 roles and 10,000 bindings: by the
 * index, and by a scan of all bindings. Also one changed object, and the compilation of all.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 3)
@Fork(value = 1)
public class RbacBenchmark {
    private static final int QUESTIONS = 4_096;
    private static final int CALLERS = 256;

    private final Caller[] callers = new Caller[QUESTIONS];
    private final RequestAttributes[] requests = new RequestAttributes[QUESTIONS];
    private Map<RbacId, byte[]> objects = Map.of();
    private List<RbacId> ids = List.of();
    private RbacRules rules = RbacRules.empty(true);
    private final List<Scanned> bindings = new ArrayList<>();
    private int next;

    /** A binding for the scan, as an API server has it in memory: parsed, with its role. */
    private record Scanned(String namespace, List<String[]> subjects, List<JsonNode> rules) {}

    @Setup(Level.Trial)
    public void fill() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < QUESTIONS; i++) {
            callers[i] = i < CALLERS ? RbacObjects.caller(random) : callers[i % CALLERS];
            requests[i] = RbacObjects.request(random);
        }
        objects = RbacObjects.all();
        ids = List.copyOf(objects.keySet());
        rules = RbacObjects.compile(objects);
        parse();
        int allowed = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            boolean one = rules.decide(callers[i], requests[i]).isAllowed();
            if (one != scan(callers[i], (ResourceRequest) requests[i])) {
                throw new IllegalStateException("the scan decides differently");
            }
            allowed += one ? 1 : 0;
        }
        System.out.printf("%d of %d allowed%n", allowed, QUESTIONS);
    }

    @Benchmark
    public Decision indexed() {
        int i = next++ & QUESTIONS - 1;
        return rules.decide(callers[i], requests[i]);
    }

    @Benchmark
    public boolean scanned() {
        int i = next++ & QUESTIONS - 1;
        return scan(callers[i], (ResourceRequest) requests[i]);
    }

    /** An object is deleted and put again. */
    @Benchmark
    public RbacRules changed() {
        RbacId id = ids.get(Math.floorMod(next++ * 31, ids.size()));
        return rules.delete(id).put(id, objects.get(id));
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    public RbacRules compiled() {
        return RbacObjects.compile(objects);
    }

    private void parse() throws IOException {
        ObjectMapper json = new ObjectMapper();
        Map<RbacId, List<JsonNode>> roles = new HashMap<>();
        for (Map.Entry<RbacId, byte[]> each : objects.entrySet()) {
            JsonNode object = json.readTree(each.getValue());
            RbacId id = each.getKey();
            if (object.has("rules")) {
                List<JsonNode> list = new ArrayList<>();
                object.path("rules").forEach(list::add);
                roles.put(id, list);
                continue;
            }
            List<String[]> subjects = new ArrayList<>();
            object.path("subjects")
                    .forEach(subject ->
                            subjects.add(
                                    new String[] {
                                        subject.path("kind").asText(),
                                        subject.path("kind").asText().equals("ServiceAccount")
                                                ? "system:serviceaccount:"
                                                        + id.namespace()
                                                        + ":"
                                                        + subject.path("name").asText()
                                                : subject.path("name").asText()
                                    }));
            JsonNode reference = object.path("roleRef");
            RbacId role =
                    reference.path("kind").asText().equals("Role")
                            ? new RbacId(
                                    RbacKind.ROLE, id.namespace(), reference.path("name").asText())
                            : new RbacId(
                                    RbacKind.CLUSTER_ROLE, "", reference.path("name").asText());
            bindings.add(
                    new Scanned(id.namespace(), subjects, roles.getOrDefault(role, List.of())));
        }
    }

    private boolean scan(Caller caller, ResourceRequest request) {
        for (Scanned binding : bindings) {
            if ((binding.namespace.isEmpty() || binding.namespace.equals(request.namespace()))
                    && isFor(binding, caller)
                    && allows(binding, request)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFor(Scanned binding, Caller caller) {
        for (String[] subject : binding.subjects) {
            if (subject[0].equals("Group")
                    ? caller.groups().contains(subject[1])
                    : caller.name().equals(subject[1])) {
                return true;
            }
        }
        return false;
    }

    private static boolean allows(Scanned binding, ResourceRequest request) {
        String resource =
                request.subresource().isEmpty()
                        ? request.resource()
                        : request.resource() + "/" + request.subresource();
        for (JsonNode rule : binding.rules) {
            if (has(rule.path("verbs"), request.verb())
                    && has(rule.path("apiGroups"), request.apiGroup())
                    && has(rule.path("resources"), resource)) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(JsonNode values, String wanted) {
        for (JsonNode value : values) {
            if (value.asText().equals(wanted)) {
                return true;
            }
        }
        return false;
    }
}

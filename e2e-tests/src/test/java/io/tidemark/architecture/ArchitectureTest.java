package io.tidemark.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Data flows one way, and so do imports: each step knows the format it reads, never its reader.
 * Maven enforces the modules' dependencies; this test those of the packages, and the rules "X is
 * imported in one place only".
 */
class ArchitectureTest {
    private static final String ROOT = "io.tidemark.";
    private static final JavaClasses PRODUCT =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .withImportOption(location -> !location.contains("tests.jar"))
                    .importPackages("io.tidemark");

    /**
     * Which of our packages each package may import, besides itself and its subpackages. A package
     * that is not listed here fails the build: add it.
     */
    private static final Map<String, List<String>> ARROWS = new LinkedHashMap<>();

    static {
        ARROWS.put("concurrent", List.of());
        ARROWS.put("record.secret", List.of("record"));
        ARROWS.put("record", List.of());
        ARROWS.put("json", List.of());
        ARROWS.put("schema", List.of());
        ARROWS.put("kubernetes.wire", List.of("record"));
        ARROWS.put("kubernetes.schema", List.of("kubernetes.wire"));
        ARROWS.put("kubernetes.json", List.of("json"));
        ARROWS.put(
                "kubernetes.encode",
                List.of("json", "kubernetes.json", "kubernetes.schema", "kubernetes.wire"));
        ARROWS.put("kubernetes", List.of("record", "json"));
        ARROWS.put("digest", List.of("record"));
        ARROWS.put("address", List.of());
        ARROWS.put("credentials", List.of());
        ARROWS.put("nodeauth", List.of("address", "credentials"));
        ARROWS.put("http", List.of("nodeauth", "credentials"));
        ARROWS.put("local", List.of());
        ARROWS.put("etcd.rpc", List.of());
        ARROWS.put("etcd.connection", List.of("etcd.rpc"));
        ARROWS.put("etcd", List.of("record"));
        ARROWS.put("reading", List.of());
        ARROWS.put(
                "connector",
                List.of(
                        "concurrent",
                        "record",
                        "digest",
                        "json",
                        "kubernetes",
                        "etcd",
                        "reading",
                        "address",
                        "credentials",
                        "nodeauth",
                        "http"));
        ARROWS.put("authorization", List.of("json"));
        ARROWS.put("authentication.remote", List.of("credentials"));
        ARROWS.put(
                "authentication.review",
                List.of("authentication", "authorization", "concurrent", "credentials"));
        ARROWS.put("authentication.jwt", List.of("authentication", "authorization", "credentials"));
        ARROWS.put("authentication", List.of("authorization", "concurrent", "credentials"));
        ARROWS.put("view.object", List.of("record", "json"));
        ARROWS.put("view.request", List.of("record", "digest", "view.object"));
        ARROWS.put("view", List.of("concurrent", "record", "digest", "json"));
        ARROWS.put("selfcheck", List.of("concurrent", "record", "digest", "view", "nodeauth"));
        ARROWS.put("store.engine", List.of("record"));
        ARROWS.put("store.layout", List.of("record", "view", "store.engine"));
        ARROWS.put("store.fold", List.of("record", "json", "view", "store.engine", "store.layout"));
        ARROWS.put(
                "store.read", List.of("record", "digest", "view", "store.engine", "store.layout"));
        ARROWS.put("store.seal", List.of("record", "view", "store.engine", "store.layout"));
        ARROWS.put("store.rocksdb", List.of("record", "view", "store.engine"));
        ARROWS.put("store", List.of("record", "digest", "view"));
        ARROWS.put("streams.group", List.of());
        ARROWS.put(
                "streams.replica",
                List.of("record", "reading", "view", "store", "selfcheck", "streams.group"));
        ARROWS.put(
                "streams",
                List.of(
                        "concurrent",
                        "record",
                        "reading",
                        "view",
                        "store",
                        "selfcheck",
                        "address",
                        "nodeauth"));
        ARROWS.put("peer.wire", List.of("record", "view"));
        ARROWS.put("peer.cluster", List.of("record", "view", "peer.wire"));
        ARROWS.put(
                "peer.link", List.of("concurrent", "record", "view", "peer.wire", "peer.cluster"));
        ARROWS.put(
                "peer",
                List.of(
                        "concurrent",
                        "record",
                        "view",
                        "address",
                        "credentials",
                        "nodeauth",
                        "http"));
        ARROWS.put("serving.status", List.of("record", "json", "kubernetes"));
        ARROWS.put(
                "serving.read",
                List.of("concurrent", "record", "view", "kubernetes", "serving.status"));
        ARROWS.put(
                "serving.freshness",
                List.of(
                        "concurrent",
                        "record",
                        "view",
                        "serving.status",
                        "serving.read",
                        "nodeauth"));
        ARROWS.put(
                "serving.watch",
                List.of("record", "view", "serving.status", "serving.read", "serving.freshness"));
        ARROWS.put("query.follow", List.of("record", "view", "serving.read"));
        ARROWS.put(
                "query.catalog",
                List.of("record", "json", "view", "kubernetes", "serving.read", "query.follow"));
        ARROWS.put("query.wire", List.of("record", "json", "view", "kubernetes", "serving.status"));
        ARROWS.put("query.compress", List.of("serving.watch"));
        ARROWS.put("query.group", List.of("record", "view", "serving.read", "query.compress"));
        ARROWS.put(
                "query.encode",
                List.of(
                        "record",
                        "json",
                        "view",
                        "kubernetes",
                        "serving.read",
                        "serving.status",
                        "serving.watch",
                        "query.catalog",
                        "query.compress",
                        "query.group",
                        "query.representation",
                        "query.wire"));
        ARROWS.put(
                "query.select",
                List.of("record", "json", "view", "serving.status", "query.catalog"));
        ARROWS.put("query.shard", List.of("json", "view", "serving.status"));
        ARROWS.put(
                "query.discovery",
                List.of(
                        "kubernetes",
                        "query.catalog",
                        "serving.status",
                        "query.json",
                        "query.representation"));
        ARROWS.put("query.json", List.of("json", "view"));
        ARROWS.put("query.table", List.of("record", "json", "view", "query.catalog", "query.json"));
        ARROWS.put(
                "query.representation",
                List.of(
                        "record",
                        "json",
                        "view",
                        "kubernetes",
                        "query.catalog",
                        "query.json",
                        "query.table",
                        "serving.status"));
        ARROWS.put(
                "query.http.exchange",
                List.of(
                        "credentials",
                        "record",
                        "digest",
                        "json",
                        "view",
                        "selfcheck",
                        "http",
                        "serving",
                        "query"));
        ARROWS.put(
                "query.access",
                List.of(
                        "authentication",
                        "authorization",
                        "concurrent",
                        "credentials",
                        "record",
                        "view",
                        "serving.read",
                        "serving.status",
                        "query.follow"));
        ARROWS.put(
                "query.watch",
                List.of(
                        "record",
                        "serving",
                        "view",
                        "query.access",
                        "query.compress",
                        "query.encode",
                        "query.group"));
        ARROWS.put("query.past", List.of("json", "record", "serving.status", "query.wire"));
        ARROWS.put(
                "query.changes",
                List.of(
                        "authorization",
                        "diff",
                        "json",
                        "record",
                        "serving.status",
                        "view",
                        "query.catalog",
                        "query.past",
                        "query.select",
                        "query.wire"));
        ARROWS.put("query.audit", List.of("authentication", "authorization", "json"));
        ARROWS.put("query.seats", List.of());
        ARROWS.put("query.cluster", List.of("selfcheck", "view"));
        ARROWS.put(
                "query.http",
                List.of(
                        "authentication",
                        "authorization",
                        "concurrent",
                        "console",
                        "record",
                        "digest",
                        "json",
                        "view",
                        "selfcheck",
                        "kubernetes",
                        "http",
                        "serving",
                        "query"));
        ARROWS.put(
                "query",
                List.of(
                        "record",
                        "view",
                        "authentication",
                        "authorization",
                        "credentials",
                        "http",
                        "kubernetes",
                        "nodeauth",
                        "serving"));
        ARROWS.put("bench", List.of("record", "etcd"));
        ARROWS.put("waits", List.of());
        ARROWS.put("connect", List.of("record", "json"));
        ARROWS.put("demo", List.of("record", "etcd"));
        ARROWS.put("diff", List.of());
        ARROWS.put("console", List.of());
        ARROWS.put("client", List.of("concurrent", "credentials", "diff"));
        ARROWS.put(
                "standalone",
                List.of(
                        "authentication",
                        "record",
                        "etcd",
                        "http",
                        "connector",
                        "address",
                        "credentials",
                        "nodeauth",
                        "view",
                        "store",
                        "streams",
                        "selfcheck",
                        "peer",
                        "serving",
                        "query",
                        "bench",
                        "demo",
                        "client",
                        "json",
                        "kubernetes",
                        "local"));
    }

    /** Which of our packages may import a library. */
    private static final Map<String, List<String>> LIBRARIES =
            Map.ofEntries(
                    Map.entry("org.rocksdb", List.of("store.rocksdb")),
                    Map.entry("io.grpc", List.of("etcd")),
                    Map.entry(
                            "com.github.benmanes",
                            List.of("query.compress", "query.discovery", "query.encode")),
                    Map.entry("com.github.luben", List.of("query.compress")),
                    Map.entry("com.nimbusds", List.of("authentication.jwt")),
                    Map.entry("org.bouncycastle", List.of("credentials")),
                    Map.entry("com.google.protobuf", List.of("etcd", "schema")),
                    Map.entry(
                            "io.javalin", List.of("http", "query.http", "peer", "connector.http")),
                    Map.entry("org.eclipse.jetty", List.of("http", "query.http")),
                    Map.entry("kafka", List.of("local")),
                    Map.entry(
                            "org.apache.kafka",
                            List.of(
                                    "reading",
                                    "connector",
                                    "connect",
                                    "streams",
                                    "local",
                                    "standalone")),
                    Map.entry("org.apache.kafka.streams", List.of("streams")),
                    Map.entry("picocli", List.of("standalone", "client")),
                    Map.entry("io.micrometer", List.of("connector", "query", "http")),
                    Map.entry("io.prometheus", List.of("http.metrics")));

    @TestFactory
    Stream<DynamicTest> packagesImportOnlyWhatLiesUpstream() {
        return ARROWS.keySet().stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> checkArrows(name)));
    }

    private static void checkArrows(String name) {
        DescribedPredicate<JavaClass> forbidden =
                DescribedPredicate.describe(
                        "ours, but not of " + ARROWS.get(name),
                        target ->
                                target.getPackageName().startsWith("io.tidemark")
                                        && !isIn(target, name)
                                        && ARROWS.get(name).stream()
                                                .noneMatch(allowed -> isIn(target, allowed)));
        noClasses()
                .that(DescribedPredicate.describe("in " + name, at -> name.equals(homeOf(at))))
                .should()
                .dependOnClassesThat(forbidden)
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    @TestFactory
    Stream<DynamicTest> librariesAreImportedWhereTheyBelong() {
        return LIBRARIES.keySet().stream()
                .sorted()
                .map(library -> DynamicTest.dynamicTest(library, () -> checkLibrary(library)));
    }

    private static void checkLibrary(String library) {
        noClasses()
                .that(
                        DescribedPredicate.describe(
                                "outside " + LIBRARIES.get(library),
                                at ->
                                        LIBRARIES.get(library).stream()
                                                .noneMatch(home -> isIn(at, home))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library + "..")
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    @Test
    void everyPackageIsInTheDependencyTable() {
        TreeSet<String> homeless = new TreeSet<>();
        for (JavaClass each : PRODUCT) {
            if (homeOf(each).isEmpty()) {
                homeless.add(each.getPackageName());
            }
        }
        assertThat(homeless).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> noModuleHasACycleOfPackages() {
        return Stream.of(
                        "(*)..",
                        "local.(**)",
                        "view.(**)",
                        "client.(**)",
                        "authentication.(**)",
                        "connector.(**)",
                        "store.(**)",
                        "streams.(**)",
                        "serving.(**)",
                        "query.(**)",
                        "bench.(**)",
                        "standalone.(**)")
                .map(slice ->
                        DynamicTest.dynamicTest(
                                slice,
                                () ->
                                        slices().matching(ROOT + slice)
                                                .should()
                                                .beFreeOfCycles()
                                                .allowEmptyShould(true)
                                                .check(PRODUCT)));
    }

    @Test
    void onlyTheNodeDependsOnKafkaStreams() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "query..", ROOT + "serving..", ROOT + "peer..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + "streams..", ROOT + "store..")
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    /** A test in a package of production would see what callers of that package do not. */
    @Test
    void noEndToEndTestIsInAPackageOfProduction() throws IOException {
        Set<String> production = new HashSet<>();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(Path.of(".."))) {
            for (Path module : modules) {
                production.addAll(packagesIn(module.resolve("src/main/java")));
            }
        }
        assertThat(production).contains("io/tidemark/connector", "io/tidemark/serving/watch");
        assertThat(packagesIn(Path.of("src/test/java")))
                .contains("io/tidemark/architecture")
                .doesNotContainAnyElementsOf(production);
    }

    /** The folders with Java files, relative to a root; empty when there is no root. */
    private static Set<String> packagesIn(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> root.relativize(file.getParent()).toString())
                    .collect(Collectors.toSet());
        }
    }

    /**
     * Addresses come from the topic and the group: one client knows what may be done with them.
     * Those of a followed Tidemark come from the operator.
     */
    @Test
    void onlyOneClientCallsNodesAndConnectors() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        ROOT + "connector..",
                        ROOT + "streams..",
                        ROOT + "selfcheck..",
                        ROOT + "peer..",
                        ROOT + "serving..",
                        ROOT + "query..")
                .and()
                .resideOutsideOfPackage(ROOT + "connector.upstream")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net.http..", "com.sun.net..")
                .check(PRODUCT);
    }

    /**
     * A state is read where the request's right to it is judged. Watches wait for their right at
     * each state themselves.
     */
    @Test
    void onlyAuthorizedReadPointsAreRead() {
        DescribedPredicate<JavaClass> unauthorized =
                DescribedPredicate.describe(
                        "endpoints",
                        at ->
                                isIn(at, "query.http")
                                        && !isIn(at, "query.http.watch")
                                        && !at.getSimpleName().equals("ReadPoints")
                                        && !at.getSimpleName().equals("ServingContext"));
        noClasses()
                .that(unauthorized)
                .should()
                .dependOnClassesThat(
                        DescribedPredicate.describe(
                                "choose states",
                                target ->
                                        Set.of("Freshness", "FreshnessWait", "TimeTravel")
                                                .contains(target.getSimpleName())))
                .orShould()
                .callConstructorWhere(
                        DescribedPredicate.describe(
                                "of a read point",
                                call -> call.getTargetOwner().getSimpleName().equals("ReadPoint")))
                .check(PRODUCT);
    }

    @Test
    void theRecordFormatNeedsNothingButTheJdk() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "record..", ROOT + "concurrent..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "java..",
                        "javax.crypto..",
                        ROOT + "record..",
                        ROOT + "concurrent..",
                        "org.jspecify..")
                .check(PRODUCT);
    }

    /** The longest name in {@link #ARROWS} that contains a class; empty when there is none. */
    private static String homeOf(JavaClass each) {
        String home = "";
        for (String name : ARROWS.keySet()) {
            if (isIn(each, name) && name.length() > home.length()) {
                home = name;
            }
        }
        return home;
    }

    private static boolean isIn(JavaClass each, String name) {
        String at = each.getPackageName();
        return at.equals(ROOT + name) || at.startsWith(ROOT + name + ".");
    }
}

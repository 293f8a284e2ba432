package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.Rights;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two tenants send random requests through every door while both namespaces change. All data of a
 * tenant carries their mark, which no answer to the other may contain: not in a body, a header, a
 * Status or a warning.
 */
@Execution(ExecutionMode.CONCURRENT)
class TenantLeakHttpTest {
    private static final int REQUESTS = 600;
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Pattern TOKEN = Pattern.compile("\"continue\":\"([^\"]+)\"");
    private static final List<Tenant> TENANTS =
            List.of(new Tenant("ann", "blue", "sapphire"), new Tenant("bob", "red", "ruby"));

    private static final List<String> ACCEPTS =
            List.of(
                    "application/json",
                    "application/yaml",
                    "application/json;as=Table;v=v1;g=meta.k8s.io",
                    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
                    "application/vnd.kubernetes.protobuf");

    private final MirroredCluster cluster = new MirroredCluster(4, 100);
    private final List<String> tokens = new ArrayList<>(List.of("nonsense"));
    private final int[] owned = new int[TENANTS.size()];

    /**
     * @param mark in all of the tenant's data
     */
    private record Tenant(String name, String namespace, String mark) {}

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({"1, HTTP_1_1", "2, HTTP_1_1", "3, HTTP_2"})
    void noAnswerHoldsDataOfTheOtherTenant(long seed, Version version) throws Exception {
        Random random = new Random(seed);
        TestCertificates certificates = new TestCertificates(folder);
        Rights rights = new Rights(cluster);
        FakeCallers callers = new FakeCallers();
        for (Tenant tenant : TENANTS) {
            callers.with(tenant.name());
            rights.grant(tenant.name(), tenant.namespace(), "get,list,watch,history", "*");
            // The paths of all keys: their objects protect them.
            rights.grantPaths(
                    tenant.name(),
                    "get,history",
                    "/kv/*,/api,/apis,/openapi/*,/metrics,/cluster,/readyz");
            cluster.raw(
                    Bytes.utf8("/registry/pods/%s/x".formatted(tenant.namespace())),
                    tenant.mark().getBytes(StandardCharsets.UTF_8),
                    "unreadable " + tenant.mark());
        }
        change(random);
        try (QueryNodeFixture fixture = start(callers, certificates, version);
                TestHttpClient client =
                        new TestHttpClient(
                                fixture.url,
                                HttpClient.newBuilder()
                                        .sslContext(certificates.anonymous())
                                        .version(version)
                                        .build())) {
            for (int i = 0; i < REQUESTS; i++) {
                if (random.nextInt(10) == 0) {
                    change(random);
                }
                int who = random.nextInt(TENANTS.size());
                ask(client, random, who);
            }
        }
        assertThat(owned[0]).isGreaterThan(15);
        assertThat(owned[1]).isGreaterThan(15);
    }

    /** HTTP/2 is served over TLS only. */
    private QueryNodeFixture start(
            FakeCallers callers, TestCertificates certificates, Version version) {
        AccessSettings access = callers.underMirroredRules();
        return new QueryNodeFixture(
                cluster,
                defaults -> {
                    // Some requests are for a state that does not come.
                    QueryConfig config =
                            defaults.withTimes(
                                            defaults.times().withFreshness(Duration.ofSeconds(3)))
                                    .withAccess(access);
                    try {
                        return version == Version.HTTP_2
                                ? config.withTls(certificates.server())
                                : config;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private void change(Random random) {
        cluster.advance(Duration.ofMillis(random.nextInt(5_000)));
        for (Tenant tenant : TENANTS) {
            String name = tenant.mark() + "-" + random.nextInt(5);
            if (random.nextInt(4) == 0) {
                cluster.delete(MirroredCluster.podKey(tenant.namespace(), name));
            }
            cluster.pod(
                    tenant.namespace(),
                    name,
                    Map.of("color", tenant.mark()),
                    tenant.mark() + "-node");
        }
    }

    private void ask(TestHttpClient client, Random random, int who) throws Exception {
        Tenant asker = TENANTS.get(who);
        Tenant other = TENANTS.get(1 - who);
        Tenant target = random.nextInt(3) == 0 ? asker : other;
        String path = path(random, target);
        path += query(random, path.contains("?") ? '&' : '?');
        TestHttpClient.Answer answer =
                client.send(
                        client.request(path)
                                .timeout(LONGEST)
                                .header("Authorization", "Bearer " + asker.name())
                                .header("Accept", ACCEPTS.get(random.nextInt(ACCEPTS.size()))));
        String all = answer.headers().map() + "\n" + answer.text();
        assertThat(all).as("%s asked %s", asker.name(), path).doesNotContain(other.mark());
        if (target == other && !path.matches("/(api|apis|metrics|cluster|readyz)[?].*")) {
            assertThat(answer.status()).as(path).isIn(400, 403);
        }
        if (all.contains(asker.mark())) {
            owned[who]++;
        }
        Matcher token = TOKEN.matcher(answer.text());
        if (token.find()) {
            tokens.add(token.group(1));
        }
    }

    private static String path(Random random, Tenant target) {
        String namespace = target.namespace();
        return switch (random.nextInt(18)) {
            case 0, 1, 2 -> "/api/v1/namespaces/" + namespace + "/pods";
            case 3 -> "/api/v1/namespaces/" + namespace + "/pods/x";
            case 4 -> "/api/v1/watch/namespaces/" + namespace + "/pods";
            case 5 -> "/kv/registry/pods/" + namespace + "/";
            case 6 -> "/kv/registry/pods/" + namespace + "/x";
            case 7 -> "/api/v1/namespaces/%2e%2e/" + namespace + "/pods";
            case 8 -> "/api/v1//namespaces/" + namespace + "/pods";
            case 9 -> "/api/v1/namespaces/" + namespace + "/pods/x/status";
            case 10 -> "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";
            case 11 -> "/api/v1/namespaces/" + namespace + "%2Fpods";
            case 12 -> "/kv/registry/pods%2F" + namespace + "%2F";
            case 13 -> List.of("/metrics", "/cluster", "/readyz").get(random.nextInt(3));
            case 14 -> "/api/v1/namespaces/" + namespace + "/configmaps";
            case 15 -> "/changes?resource=pods&namespace=" + namespace;
            case 16 -> "/changes?resource=namespaces&name=" + namespace;
            default -> "/api/v1/namespaces/" + namespace;
        };
    }

    /** Watches are long polls of a second, so that each answer ends. */
    private String query(Random random, char begin) {
        StringBuilder query = new StringBuilder(begin + "timeoutSeconds=1&longPoll=true");
        for (int i = random.nextInt(4); i > 0; i--) {
            query.append('&').append(parameter(random));
        }
        return query.toString();
    }

    private String parameter(Random random) {
        long revision = 100 + random.nextInt((int) (cluster.revision() - 95));
        return switch (random.nextInt(13)) {
            case 0 -> "limit=" + (1 + random.nextInt(3));
            case 1, 2 -> "continue=" + tokens.get(random.nextInt(tokens.size()));
            case 3 -> "resourceVersion=" + revision;
            case 4 -> "resourceVersionMatch=Exact&resourceVersion=" + revision;
            case 5 -> "at=" + cluster.clock().instant().minusSeconds(random.nextInt(60));
            case 6 -> "history=true";
            case 7 -> "watch=true";
            case 8 -> "labelSelector=color";
            case 11 ->
                    "watch=true&sendInitialEvents=true&allowWatchBookmarks=true"
                            + "&resourceVersionMatch=NotOlderThan";
            case 12 -> "verbose";
            case 9 ->
                    "fieldSelector=metadata.namespace%3D"
                            + TENANTS.get(random.nextInt(2)).namespace();
            default -> "output=json&pretty=true";
        };
    }
}

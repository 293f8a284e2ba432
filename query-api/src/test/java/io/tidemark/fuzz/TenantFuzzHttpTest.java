package io.tidemark.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.authentication.Authenticator;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.access.AccessSettings.Authorization;
import io.tidemark.query.access.MirroredRules;
import io.tidemark.query.audit.AuditPolicy;
import io.tidemark.query.audit.AuditSettings;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.Rights;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Five tenants send generated requests, with their own credentials and each other's continue
 * tokens. No answer, header, or audit line shows an object of another tenant.
 *
 * <p>It stops after a few seconds; {@code -Dtidemark.fuzz=1000000} sets the number of requests
 * instead, and {@code -Dtidemark.fuzz.seed=N} the first seed.
 */
class TenantFuzzHttpTest {
    private static final Logger LOG = LoggerFactory.getLogger(TenantFuzzHttpTest.class);
    private static final long REQUESTS = Long.getLong("tidemark.fuzz", 0);
    private static final long FEW = 50_000;
    private static final long FEW_SECONDS = 4;
    private static final long LEAK_SECONDS = 60;

    /** Later requests leave no audit lines, which would fill the disk. */
    private static final long AUDITED = 100_000;

    private final Tenants tenants = new Tenants();
    private final FakeCallers callers = new FakeCallers();
    private final ContinueTokens tokens = new ContinueTokens();

    /** Answers with a tenant's own marker. */
    private final Map<String, LongAdder> owned = new ConcurrentHashMap<>();

    @TempDir private Path folder;

    private void grant() {
        tenants.markMore();
        Rights rights = new Rights(tenants.cluster());
        for (String tenant : Tenants.NAMES) {
            String user = IdentityGrammar.user(tenant);
            callers.with(user);
            rights.grant(user, tenant, "get,list,watch,history", "*");
            rights.grantPaths(
                    user,
                    "get,head,history",
                    "/,/kv/*,/api,/api/*,/apis,/apis/*,/openapi/*,/version,/metrics,/cluster,"
                            + "/readyz*,/livez*,/healthz*");
        }
        rights.bind(
                IdentityGrammar.user("alpha"),
                "",
                "{\"verbs\":[\"impersonate\"],\"apiGroups\":[\"\"],\"resources\":[\"users\"],"
                        + "\"resourceNames\":[\"%s\"]}".formatted(IdentityGrammar.user("al")));
    }

    private QueryNodeFixture start(Authenticator authenticator, Authorization authorization) {
        AtomicLong begun = new AtomicLong();
        AuditPolicy none = new AuditPolicy(List.of(), Set.of());
        return new QueryNodeFixture(
                tenants.cluster(),
                config ->
                        config.withTimes(FuzzRun.TIMES)
                                .withAccess(
                                        new AccessSettings(
                                                Optional.of(authenticator), authorization))
                                .withAudit(
                                        new AuditSettings(
                                                folder.resolve("audit.log"),
                                                () ->
                                                        begun.incrementAndGet() <= AUDITED
                                                                ? AuditPolicy.ALL
                                                                : none)));
    }

    private Tally send(QueryNodeFixture fixture, long seed, long requests, long seconds)
            throws InterruptedException {
        Tally tally = new Tally(this::look);
        IdentityGrammar grammar = new IdentityGrammar(new RequestGrammar(tenants), tokens);
        LOG.info("{} requests of tenants from seed {}", requests, seed);
        new FuzzRun(URI.create(fixture.url), tenants, grammar::make, tally)
                .send(seed, requests, seconds);
        LOG.info("{}, with own objects {}", tally, owned);
        return tally;
    }

    private void look(FuzzRequest request, ParsedResponse answer) {
        try {
            byte[] body = ResponseRules.unpacked(answer);
            tokens.keep(body);
            Set<String> shown = new HashSet<>(Tenants.shownIn(body));
            shown.retainAll(request.mayShow());
            shown.forEach(
                    tenant -> owned.computeIfAbsent(tenant, _ -> new LongAdder()).increment());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void noTenantSeesAnother() throws Exception {
        grant();
        long seed = Long.getLong("tidemark.fuzz.seed", 1);
        try (QueryNodeFixture fixture =
                start(callers, new Authorization.Mirrored(Duration.ofMinutes(5)))) {
            Tally tally =
                    send(
                            fixture,
                            seed,
                            REQUESTS > 0 ? REQUESTS : FEW,
                            REQUESTS > 0 ? Long.MAX_VALUE : FEW_SECONDS);
            assertThat(tally.faults()).as("from seed %d: %s", seed, tally).isEmpty();
            assertThat(tally.answersOf("401")).isPositive();
            assertThat(tally.answersOf("403")).isPositive();
        }
        assertThat(owned).containsOnlyKeys(Tenants.NAMES);
        assertAuditTellsOfTheCallerOnly();
    }

    private void assertAuditTellsOfTheCallerOnly() throws IOException {
        ObjectMapper json = new ObjectMapper();
        Set<String> users = new HashSet<>();
        try (Stream<String> lines = Files.lines(folder.resolve("audit.log"))) {
            for (String line : (Iterable<String>) lines::iterator) {
                JsonNode event = json.readTree(line);
                users.add(event.at("/user/username").asText());
                assertThat(Tenants.shownIn(line.getBytes(StandardCharsets.UTF_8)))
                        .as(line)
                        .isEmpty();
            }
        }
        assertThat(users).containsAll(Tenants.NAMES.stream().map(IdentityGrammar::user).toList());
    }

    /** The test sees what it is for. */
    @ParameterizedTest
    @EnumSource
    void findsEachLeak(Leak leak) throws Exception {
        grant();
        try (MirroredRules rules =
                new MirroredRules(
                        tenants.cluster(),
                        QueryConfig.DEFAULT_PREFIX,
                        true,
                        Duration.ofMinutes(5),
                        MirroredRules.LIMITS,
                        tenants.cluster().clock(),
                        System::nanoTime)) {
            rules.start();
            try (QueryNodeFixture fixture =
                    start(leak.change(callers), new Authorization.Given(leak.in(rules)))) {
                Tally tally = new Tally();
                for (long seed = 1; tally.faults().isEmpty() && seed < 20_000; seed += 1_000) {
                    tally = send(fixture, seed, 1_000, LEAK_SECONDS);
                }
                assertThat(tally.faults())
                        .anySatisfy(fault -> assertThat(fault).startsWith("shows objects of"));
            }
        }
    }
}

package io.tidemark.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every request gets a 2xx, or a 4xx with a Status, in time and without objects of tenants that it
 * did not request. The only exception is a wait for a future state: 504, as in the API server.
 *
 * <p>Each test stops after a few seconds. {@code -Dtidemark.fuzz=1000000} lifts that limit and sets
 * the number of new requests; {@code -Dtidemark.fuzz.seed=N} sends the request of one seed.
 */
class FuzzHttpTest {
    private static final Logger LOG = LoggerFactory.getLogger(FuzzHttpTest.class);
    private static final long REQUESTS = Long.getLong("tidemark.fuzz", 0);
    private static final long FEW = 20_000;
    private static final long FEW_SECONDS = 4;

    private static final long FIXED_SEED = 1;
    private static final long SECONDS = REQUESTS > 0 ? Long.MAX_VALUE : FEW_SECONDS;

    private static Tenants tenants;
    private static QueryNodeFixture fixture;

    @BeforeAll
    static void startNode() {
        tenants = new Tenants();
        fixture =
                new QueryNodeFixture(tenants.cluster(), config -> config.withTimes(FuzzRun.TIMES));
    }

    @AfterAll
    static void stopNode() {
        fixture.close();
    }

    @Test
    void knownRequestsAreAnsweredProperly() throws Exception {
        Long only = Long.getLong("tidemark.fuzz.seed");
        if (only != null) {
            FuzzRequest request = new RequestGrammar(tenants).make(only);
            LOG.info("{}", request);
            assertProper(run(only, 1, Long.MAX_VALUE));
        } else {
            assertProper(run(FIXED_SEED, FEW, SECONDS));
        }
    }

    @Test
    void newRequestsAreAnsweredProperly() throws Exception {
        Tally tally = run(System.nanoTime(), REQUESTS > 0 ? REQUESTS : FEW, SECONDS);
        assertProper(tally);
        // Some were accepted, and some refused by endpoints.
        assertThat(tally.answersOf("200")).isPositive();
        assertThat(tally.answersOf("404")).isPositive();
        assertThat(tally.answersOf("422")).isPositive();
    }

    private static void assertProper(Tally tally) {
        LOG.info("{}", tally);
        assertThat(tally.faults()).as("%s", tally).isEmpty();
    }

    private static Tally run(long firstSeed, long requests, long seconds) throws Exception {
        Tally tally = new Tally();
        RequestGrammar grammar = new RequestGrammar(tenants);
        LOG.info("{} requests from seed {}", requests, firstSeed);
        new FuzzRun(URI.create(fixture.url), tenants, grammar::make, tally)
                .send(firstSeed, requests, seconds);
        return tally;
    }
}

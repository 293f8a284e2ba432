package io.tidemark.authentication.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.tidemark.authentication.jwt.KeyLookup.Found;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KeyCacheTest {
    private static VerificationKeys one;
    private static VerificationKeys two;

    private final AtomicLong nanos = new AtomicLong(-5);
    private final AtomicInteger fetches = new AtomicInteger();
    private final AtomicInteger changes = new AtomicInteger();
    private VerificationKeys published = one;
    private boolean away;
    private final KeyCache cache = cache(Runnable::run);

    @BeforeAll
    static void makeKeys() throws Exception {
        one = keys("one");
        two = keys("two");
    }

    private static VerificationKeys keys(String id) throws Exception {
        return new VerificationKeys(
                List.of(new ECKeyGenerator(Curve.P_256).keyID(id).generate().toPublicJWK()));
    }

    private KeyCache cache(Executor executor) {
        return new KeyCache(
                "https://a.example", this::fetch, nanos::get, executor, changes::incrementAndGet);
    }

    private VerificationKeys fetch() throws IOException {
        fetches.incrementAndGet();
        if (away) {
            throw new IOException("away");
        }
        return published;
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void fetchesOnceForManyTokens() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(cache.find("one")).isEqualTo(new Found.Keys(one));
            assertThat(cache.find("")).isEqualTo(new Found.Keys(one));
        }
        assertThat(fetches).hasValue(1);
        assertThat(changes).hasValue(0);
    }

    @Test
    void fetchesForAnUnknownKeyAtMostOncePerPause() throws Exception {
        cache.find("one");
        published = two;
        for (int i = 0; i < 1_000; i++) {
            assertThat(cache.find("random-" + i)).isEqualTo(new Found.Keys(one));
        }
        assertThat(fetches).hasValue(1);

        pass(KeyCache.PAUSE);
        for (int i = 0; i < 1_000; i++) {
            cache.find("random-" + i);
        }
        assertThat(fetches).hasValue(2);
        assertThat(cache.find("two")).isEqualTo(new Found.Keys(two));
        assertThat(changes).hasValue(1);
    }

    @Test
    void fetchesAgainInTheBackgroundWhenTheyAreOld() throws Exception {
        Queue<Runnable> background = new ArrayDeque<>();
        KeyCache cache = cache(background::add);
        cache.refresh();
        assertThat(background).isEmpty();
        Thread first = Thread.startVirtualThread(() -> find(cache));
        awaitSize(background);
        background.remove().run();
        first.join();

        pass(KeyCache.FRESH.minusNanos(1));
        cache.refresh();
        assertThat(background).isEmpty();
        pass(Duration.ofNanos(1));
        published = two;
        assertThat(cache.find("one")).isEqualTo(new Found.Keys(one));
        cache.refresh();
        assertThat(background).hasSize(1);
        background.remove().run();
        assertThat(cache.find("two")).isEqualTo(new Found.Keys(two));
        assertThat(changes).hasValue(1);
    }

    private static void awaitSize(Queue<Runnable> queue) {
        Awaitility.await().until(() -> !queue.isEmpty());
    }

    private static Found find(KeyCache cache) {
        try {
            return cache.find("one");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void usesTheLastKeysForADayWithoutTheIssuer() throws Exception {
        cache.find("one");
        away = true;
        pass(KeyCache.TOLERATED.minusNanos(1));
        assertThat(cache.find("one")).isEqualTo(new Found.Keys(one));
        assertThat(cache.find("two")).isInstanceOf(Found.Unavailable.class);
        pass(Duration.ofNanos(1));
        assertThat(cache.find("one")).isInstanceOf(Found.Unavailable.class);

        away = false;
        pass(KeyCache.PAUSE);
        assertThat(cache.find("one")).isEqualTo(new Found.Keys(one));
    }

    @Test
    void triesAnIssuerThatIsAwayOncePerPause() throws Exception {
        away = true;
        for (int i = 0; i < 100; i++) {
            assertThat(cache.find("one")).isInstanceOf(Found.Unavailable.class);
        }
        assertThat(fetches).hasValue(1);
        assertThat(((Found.Unavailable) cache.find("")).reason())
                .contains("https://a.example", "away");
        pass(KeyCache.PAUSE);
        away = false;
        assertThat(cache.find("one")).isEqualTo(new Found.Keys(one));
    }

    @Test
    void concurrentTokensShareAFetch() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            KeyCache cache =
                    new KeyCache(
                            "https://a.example",
                            () -> {
                                fetches.incrementAndGet();
                                begun.countDown();
                                answer.await();
                                return one;
                            },
                            nanos::get,
                            threads,
                            changes::incrementAndGet);
            List<Future<Found>> found = new ArrayList<>();
            found.add(threads.submit(() -> cache.find("one")));
            assertThat(begun.await(3, TimeUnit.MINUTES)).isTrue();
            for (int i = 0; i < 20; i++) {
                found.add(threads.submit(() -> cache.find("one")));
            }
            answer.countDown();
            for (Future<Found> each : found) {
                assertThat(each.get(3, TimeUnit.MINUTES)).isEqualTo(new Found.Keys(one));
            }
        }
        assertThat(fetches).hasValue(1);
    }
}

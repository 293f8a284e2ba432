package io.tidemark.query.testing;

import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.Authenticator;
import io.tidemark.authentication.Credentials;
import io.tidemark.authorization.Caller;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.access.AccessSettings.Authorization;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Callers by bearer tokens that are their names. */
public final class FakeCallers implements Authenticator {
    private static final String BEARER = "Bearer ";

    private final Map<String, Caller> callers = new ConcurrentHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong version = new AtomicLong();
    private final Map<String, Instant> ends = new ConcurrentHashMap<>();
    private volatile boolean unavailable;

    /** Knows a caller who is in these groups and system:authenticated. */
    public FakeCallers with(String name, String... groups) {
        List<String> all = new CopyOnWriteArrayList<>(Arrays.asList(groups));
        all.add("system:authenticated");
        callers.put(name, new Caller(name, all));
        return this;
    }

    /** Settings of a node that judges these callers by rules of at most five minutes ago. */
    public AccessSettings underMirroredRules() {
        return under(new Authorization.Mirrored(Duration.ofMinutes(5)));
    }

    /** Settings of a node that knows these callers. */
    public AccessSettings under(Authorization authorization) {
        return new AccessSettings(Optional.of(this), authorization);
    }

    /** The caller's token expires. */
    public FakeCallers until(String name, Instant end) {
        ends.put(name, end);
        return this;
    }

    public void remove(String name) {
        callers.remove(name);
        version.incrementAndGet();
        listeners.forEach(Runnable::run);
    }

    public void fail(boolean failing) {
        unavailable = failing;
    }

    @Override
    public Authentication authenticate(Credentials credentials) {
        if (!credentials.authorization().startsWith(BEARER)) {
            return new Authentication.None();
        }
        if (unavailable) {
            return new Authentication.Unavailable("made so by the test");
        }
        String token = credentials.authorization().substring(BEARER.length());
        Caller caller = callers.get(token);
        return caller == null
                ? new Authentication.Wrong("no such token")
                : new Authentication.Known(caller, ends.getOrDefault(token, Instant.MAX));
    }

    @Override
    public long version() {
        return version.get();
    }

    @Override
    public Runnable onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}

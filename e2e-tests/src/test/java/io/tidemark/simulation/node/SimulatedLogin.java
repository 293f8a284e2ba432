package io.tidemark.simulation.node;

import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.Authenticator;
import io.tidemark.authentication.Credentials;
import io.tidemark.authorization.Caller;
import io.tidemark.simulation.model.Identity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Knows each client by its name, until its credentials expire. Now and then it cannot find out who
 * a client is; then it authenticates everyone again.
 */
final class SimulatedLogin implements Authenticator {
    private static final String SEPARATOR = "|";

    private final List<Runnable> listeners = new ArrayList<>();
    private boolean answers = true;
    private long version;

    /**
     * @param untilMillis when they expire; {@link Long#MAX_VALUE} for never
     */
    static Credentials of(Identity who, long untilMillis) {
        List<String> parts = new ArrayList<>(List.of(Long.toString(untilMillis), who.user()));
        parts.addAll(who.groups());
        return new Credentials(List.of(), String.join(SEPARATOR, parts));
    }

    static Caller caller(Identity who) {
        return new Caller(who.user(), List.copyOf(who.groups()));
    }

    /** Whether it finds out who clients are. */
    void answers(boolean now) {
        answers = now;
        version++;
        List.copyOf(listeners).forEach(Runnable::run);
    }

    @Override
    public Authentication authenticate(Credentials credentials) {
        if (!answers) {
            return new Authentication.Unavailable("cut off");
        }
        List<String> parts = List.of(credentials.authorization().split("\\|"));
        long untilMillis = Long.parseLong(parts.getFirst());
        return new Authentication.Known(
                new Caller(parts.get(1), parts.subList(2, parts.size())),
                untilMillis == Long.MAX_VALUE ? Instant.MAX : Instant.ofEpochMilli(untilMillis));
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public Runnable onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}

package io.tidemark.simulation.node;

import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.Authenticator;
import io.tidemark.authentication.Credentials;
import io.tidemark.authorization.Caller;
import io.tidemark.simulation.model.Identity;
import java.time.Instant;
import java.util.List;

/** Knows each client by its name. */
final class SimulatedLogin implements Authenticator {
    private static final String GROUPS = "|";

    static Credentials of(Identity who) {
        return new Credentials(List.of(), who.user() + GROUPS + String.join(GROUPS, who.groups()));
    }

    static Caller caller(Identity who) {
        return new Caller(who.user(), List.copyOf(who.groups()));
    }

    @Override
    public Authentication authenticate(Credentials credentials) {
        List<String> names = List.of(credentials.authorization().split("\\|"));
        return new Authentication.Known(
                new Caller(names.getFirst(), names.subList(1, names.size())), Instant.MAX);
    }

    @Override
    public long version() {
        return 0;
    }

    @Override
    public Runnable onChange(Runnable listener) {
        return () -> {};
    }
}

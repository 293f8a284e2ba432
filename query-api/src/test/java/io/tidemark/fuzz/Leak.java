package io.tidemark.fuzz;

import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.Authenticator;
import io.tidemark.authentication.Credentials;
import io.tidemark.authorization.Authorizer;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Faults of access control that would show a tenant's data to another. */
enum Leak {
    WATCHES_ARE_NOT_JUDGED(request -> request.verb().equals("watch")),
    NAMED_OBJECTS_ARE_NOT_JUDGED(request -> request.verb().equals("get")),
    LISTS_WITHOUT_A_NAMESPACE_ARE_NOT_JUDGED(
            request -> request.verb().equals("list") && request.namespace().isEmpty()),
    LISTS_OF_A_NAMESPACE_ARE_NOT_JUDGED(
            request -> request.verb().equals("list") && !request.namespace().isEmpty()),
    DENIALS_TELL_OF_OTHERS(_ -> false) {
        @Override
        Decision change(Decision decision) {
            return decision.isAllowed()
                    ? decision
                    : Decision.noOpinion(() -> "it is of " + Tenants.marker("gamma"));
        }
    },
    CREDENTIALS_ARE_KEPT_BY_THEIR_LENGTH(_ -> false) {
        @Override
        Authenticator change(Authenticator authenticator) {
            return new ByLength(authenticator);
        }
    };

    private final Predicate<ResourceRequest> unjudged;

    Leak(Predicate<ResourceRequest> unjudged) {
        this.unjudged = unjudged;
    }

    Decision change(Decision decision) {
        return decision;
    }

    Authenticator change(Authenticator authenticator) {
        return authenticator;
    }

    /** With this fault. */
    Authorizer in(Authorizer rules) {
        return new Authorizer() {
            @Override
            public Decision decide(Caller caller, RequestAttributes request)
                    throws InterruptedException {
                return request instanceof ResourceRequest objects && unjudged.test(objects)
                        ? Decision.allowed(() -> "")
                        : change(rules.decide(caller, request));
            }

            @Override
            public Standing standing() {
                return rules.standing();
            }

            @Override
            public Runnable onChange(Runnable listener) {
                return rules.onChange(listener);
            }

            @Override
            public Runnable onceCovered(long epoch, long revision, Runnable task) {
                return rules.onceCovered(epoch, revision, task);
            }
        };
    }

    /** A cache with a key that two callers share. */
    private record ByLength(Authenticator authenticator, Map<Integer, Authentication> kept)
            implements Authenticator {
        ByLength(Authenticator authenticator) {
            this(authenticator, new ConcurrentHashMap<>());
        }

        @Override
        public Authentication authenticate(Credentials credentials) throws InterruptedException {
            int length = credentials.authorization().length();
            Authentication known = kept.get(length);
            if (known != null) {
                return known;
            }
            Authentication made = authenticator.authenticate(credentials);
            if (made instanceof Authentication.Known) {
                kept.put(length, made);
            }
            return made;
        }

        @Override
        public long version() {
            return authenticator.version();
        }

        @Override
        public Runnable onChange(Runnable listener) {
            return authenticator.onChange(listener);
        }
    }
}

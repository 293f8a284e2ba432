package io.tidemark.query.http.list;

import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.wire.ContinueToken;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.util.Optional;

/**
 * The revision and key that a list starts at.
 *
 * @param exact whether the request requires this revision
 */
public record ListStart(ReadPoint at, Bytes from, boolean exact) {
    /**
     * Where a list starts, before the wait for its state.
     *
     * @param exact whether the request requires its revision
     * @param token that the list continues at a revision of, if it does
     */
    public record Requested(
            RequestedState state, Bytes from, boolean exact, Optional<ContinueToken> token) {
        /**
         * Applies the rules for resourceVersion, resourceVersionMatch, limit and continue.
         *
         * @throws StatusException 400 for an invalid resourceVersion or token
         */
        public static Requested of(ListQuery query) {
            ListOptions options = query.options();
            if (!options.continueToken().isEmpty()) {
                return continued(query);
            }
            long revision = options.revision();
            String requested = options.resourceVersion();
            if (requested.isEmpty()) {
                return first(query, new RequestedState.Latest(), false);
            }
            if (revision == 0) {
                return first(query, new RequestedState.Any(), false);
            }
            // Without resourceVersionMatch, paginated lists are exact; a single key has no pages.
            boolean pages = options.limit() > 0 && query.scope().kind() != KeyScope.Kind.EXACT;
            boolean exact =
                    options.match().equals(ListOptions.EXACT)
                            || (options.match().isEmpty() && pages);
            return exact
                    ? first(query, new RequestedState.Exactly(revision, requested), true)
                    : first(query, new RequestedState.NotOlderThan(revision, requested), false);
        }

        private static Requested continued(ListQuery query) {
            ContinueToken token = query.tokenKeys().decode(query.options().continueToken());
            Bytes from = query.prefix().concat(query.tokenKeys().key(token.start()));
            long revision = token.revision();
            return revision < 0
                    ? new Requested(new RequestedState.Latest(), from, false, Optional.empty())
                    : new Requested(
                            new RequestedState.Continued(token.epoch(), revision),
                            from,
                            true,
                            Optional.of(token));
        }

        private static Requested first(ListQuery query, RequestedState state, boolean exact) {
            return new Requested(state, query.from(), exact, Optional.empty());
        }

        /**
         * The start once the state has arrived.
         *
         * @throws StatusException 410 when the list began in another history
         */
        public ListStart at(ReadPoint point) {
            if (token.isPresent() && token.get().epoch() != point.epoch()) {
                throw StatusErrors.continueExpired(freshToken(token.get()));
            }
            return new ListStart(point, from, exact);
        }
    }

    /**
     * Waits for the requested state or time.
     *
     * @throws StatusException 504 when the state did not arrive in time, 410 for a time below the
     *     floor and for a token of another history
     */
    static ListStart of(ListQuery query, PartitionSet partitions, ReadPoints points)
            throws InterruptedException {
        if (query.at().isPresent()) {
            ReadPoint then = points.at(partitions, query.at().get());
            return new ListStart(then, query.from(), true);
        }
        Requested requested = Requested.of(query);
        ListStart start = requested.at(points.await(partitions, requested.state()));
        return new ListStart(start.at(), start.from(), start.exact() || points.arePast());
    }

    /**
     * Whether the list begins again, at a newer revision, when this one is compacted meanwhile.
     *
     * @param attempt 1 for the first
     */
    public boolean isRetried(int attempt) {
        return !exact && attempt < ReadPoints.ATTEMPTS;
    }

    /** The error when the revision is compacted during the list. */
    public StatusException expired(ListQuery query) {
        return query.options().continueToken().isEmpty()
                ? StatusErrors.listExpired()
                : StatusErrors.continueExpired(
                        freshToken(query.tokenKeys().decode(query.options().continueToken())));
    }

    /** Continues at the same key, at the newest revision by then. */
    private static String freshToken(ContinueToken token) {
        return new ContinueToken(-1, token.start()).encode();
    }
}

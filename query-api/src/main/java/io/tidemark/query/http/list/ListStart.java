package io.tidemark.query.http.list;

import io.tidemark.query.wire.ContinueToken;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.Freshness;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.TimeTravel;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;

/**
 * The revision and key that a list starts at.
 *
 * @param exact whether the request requires this revision
 */
record ListStart(ReadPoint at, Bytes from, boolean exact) {
    /**
     * Applies the rules for resourceVersion, resourceVersionMatch, limit and continue, or the
     * requested time.
     *
     * @throws StatusException 504 when the state did not arrive in time, 410 for a time below the
     *     floor
     */
    static ListStart of(
            ListQuery query, PartitionSet partitions, Freshness freshness, TimeTravel timeTravel)
            throws InterruptedException {
        if (query.at().isPresent()) {
            return from(timeTravel.at(partitions, query.at().get(), freshness), true);
        }
        ListOptions options = query.options();
        if (!options.continueToken().isEmpty()) {
            return continued(query, partitions, freshness);
        }
        long revision = options.revision();
        if (options.resourceVersion().isEmpty()) {
            return from(freshness.latest(partitions), false);
        }
        if (revision == 0) {
            return from(freshness.any(partitions), false);
        }
        // Without resourceVersionMatch, paginated lists are exact; a single key has no pages.
        boolean pages = options.limit() > 0 && query.scope().kind() != KeyScope.Kind.EXACT;
        boolean exact =
                options.match().equals(ListOptions.EXACT) || (options.match().isEmpty() && pages);
        if (!exact) {
            return from(
                    freshness.notOlderThan(partitions, revision, options.resourceVersion()), false);
        }
        return from(freshness.exactly(partitions, revision, options.resourceVersion()), true);
    }

    /** The error when the revision is compacted during the list. */
    StatusException expired(ListQuery query) {
        return query.options().continueToken().isEmpty()
                ? StatusErrors.listExpired()
                : StatusErrors.continueExpired(freshToken(query));
    }

    private static ListStart continued(
            ListQuery query, PartitionSet partitions, Freshness freshness)
            throws InterruptedException {
        ContinueToken token = query.tokenKeys().decode(query.options().continueToken());
        Bytes from = query.prefix().concat(query.tokenKeys().key(token.start()));
        if (token.revision() < 0) {
            return new ListStart(freshness.latest(partitions), from, false);
        }
        ReadPoint at =
                freshness.exactly(partitions, token.revision(), Long.toString(token.revision()));
        return new ListStart(at, from, true);
    }

    /** Continues at the same key, at the newest revision by then. */
    private static String freshToken(ListQuery query) {
        ContinueToken token = query.tokenKeys().decode(query.options().continueToken());
        return new ContinueToken(-1, token.start()).encode();
    }

    private static ListStart from(ReadPoint at, boolean exact) {
        return new ListStart(at, Bytes.EMPTY, exact);
    }
}

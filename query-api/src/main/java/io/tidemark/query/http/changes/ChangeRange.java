package io.tidemark.query.http.changes;

import io.tidemark.query.changes.ChangesQuery;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.past.Moment;
import io.tidemark.query.wire.ContinueToken;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.request.ChangePosition;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The part of the history that a request for changes reads.
 *
 * @param to the newest state of it
 * @param from exclusive
 * @param floor of the history
 * @param complete whether the history reaches back to what was asked for
 * @param begin what the token says of where the page begins; empty for the first page
 */
record ChangeRange(ReadPoint to, long from, long floor, boolean complete, String begin) {
    /**
     * The range of a request that has the right to it.
     *
     * @throws StatusException 400 for an invalid token or a future time, 403 when the request may
     *     not read the past, 410 when the token's history has ended, and others of {@link
     *     ReadPoints#await}
     */
    static ChangeRange of(
            ChangesQuery query, PartitionSet partitions, ReadPoints points, long floor)
            throws InterruptedException {
        if (!query.token().isEmpty()) {
            return continued(query, partitions, points, floor);
        }
        ReadPoint to = to(query, partitions, points);
        OptionalLong asked = OptionalLong.of(floor);
        if (query.from().isPresent()) {
            asked = points.revisionOf(partitions, query.from().get());
        }
        long from = Math.max(floor, asked.orElse(floor));
        if (query.compare() && from > to.revision()) {
            throw StatusErrors.badRequest("from is later than to");
        }
        requireRight(query, partitions, points, from);
        return new ChangeRange(to, from, floor, asked.isPresent(), "");
    }

    private static void requireRight(
            ChangesQuery query, PartitionSet partitions, ReadPoints points, long from)
            throws InterruptedException {
        if (query.compare()) {
            points.requireState(partitions, from);
        } else {
            points.requireSince(partitions, from);
        }
    }

    private static ReadPoint to(ChangesQuery query, PartitionSet partitions, ReadPoints points)
            throws InterruptedException {
        Optional<Moment> moment = query.to();
        return moment.isPresent()
                ? points.of(partitions, moment.get())
                : points.await(partitions, new RequestedState.Latest());
    }

    private static ChangeRange continued(
            ChangesQuery query, PartitionSet partitions, ReadPoints points, long floor)
            throws InterruptedException {
        ContinueToken token = ContinueToken.decodeAnyStart(query.token());
        int dot = token.start().indexOf('.');
        long from = number(token.start().substring(0, Math.max(0, dot)));
        String begin = token.start().substring(dot + 1);
        if (token.revision() < 1 || from > token.revision()) {
            throw notOfChanges();
        }
        if (!query.compare()) {
            requireBetween(from, token.revision(), begin);
        }
        ReadPoint to =
                points.await(
                        partitions, new RequestedState.Continued(token.epoch(), token.revision()));
        boolean lost = query.compare() && from < floor;
        if (to.epoch() != token.epoch() || lost) {
            throw StatusErrors.listExpired();
        }
        requireRight(query, partitions, points, Math.max(from, floor));
        return new ChangeRange(to, Math.max(from, floor), floor, from >= floor, begin);
    }

    /**
     * A client may write any position into its token. The request has no right to one outside the
     * range, and no read reaches one above the watermark.
     */
    private static void requireBetween(long from, long to, String begin) {
        Optional<ChangePosition> at = read(begin, ChangePages::position);
        if (at.isPresent()
                && (at.get().compareTo(ChangePosition.endOf(from)) < 0
                        || at.get().compareTo(ChangePosition.endOf(to)) > 0)) {
            throw notOfChanges();
        }
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw notOfChanges();
        }
    }

    private static StatusException notOfChanges() {
        return StatusErrors.badRequest("invalid continue token: not a token of this request");
    }

    /**
     * Where the page begins.
     *
     * @param read reads what {@link ChangesFound#end} of the page before has written
     * @return empty for the first page
     * @throws StatusException 400 when it cannot be read
     */
    <T> Optional<T> begin(Function<String, T> read) {
        return read(begin, read);
    }

    private static <T> Optional<T> read(String begin, Function<String, T> read) {
        try {
            return begin.isEmpty() ? Optional.empty() : Optional.of(read.apply(begin));
        } catch (IllegalArgumentException _) {
            throw notOfChanges();
        }
    }

    /** The token of the page after one that ends there; empty after the last. */
    String token(String end) {
        return end.isEmpty()
                ? ""
                : new ContinueToken(to.revision(), from + "." + end, to.epoch()).encode();
    }
}

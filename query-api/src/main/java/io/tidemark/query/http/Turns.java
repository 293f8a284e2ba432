package io.tidemark.query.http;

import io.tidemark.authorization.Caller;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.query.http.access.AccessControl;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.seats.SeatCosts;
import io.tidemark.query.seats.Seats;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.util.Objects;
import java.util.Optional;

/**
 * Gives each request its turn. Requests of one user share its seats, memory and watches, from
 * whichever address they come; requests without a user share those of their address.
 */
final class Turns {
    private static final String WATCH = "watch";

    private final Seats seats;
    private final SeatCosts costs = new SeatCosts();

    Turns(Seats seats) {
        this.seats = seats;
    }

    /**
     * Waits for the seats that the request needs, which it holds until it is closed. Watches take
     * none: their number has its own limit. Health checks never wait.
     *
     * @param caller whom the request is served as
     * @throws StatusException 429 when the queue is full or too slow
     */
    void await(Exchange exchange, ApiPath path, RequestAttributes asked, Caller caller)
            throws InterruptedException {
        if (!caller.name().equals(AccessControl.ANONYMOUS.name())) {
            exchange.servedFor("user " + caller.name());
        }
        if (exchange.isHolding() || !path.needsPartitions() || isWatch(exchange, path, asked)) {
            return;
        }
        int kind = kind(exchange, asked);
        Optional<Seats.Seat> seat = seats.take(exchange.client(), costs.of(kind));
        if (seat.isEmpty()) {
            throw StatusErrors.tooManyRequests(
                    "too many requests of this user are being served, please try again later");
        }
        exchange.whenClosed(() -> {
            seat.get().close();
            costs.learn(kind, exchange.allowance().loaded());
        });
    }

    private static boolean isWatch(Exchange exchange, ApiPath path, RequestAttributes asked) {
        return path instanceof ApiPath.KeyValue || path instanceof ApiPath.Changes
                ? exchange.parameters().flag(WATCH)
                : asked.verb().equals(WATCH);
    }

    /** Equal for requests that read about the same. */
    private static int kind(Exchange exchange, RequestAttributes asked) {
        return Objects.hash(
                asked,
                exchange.parameters().text("limit"),
                exchange.parameters().text("continue").isEmpty(),
                exchange.parameters().flag("history"));
    }
}

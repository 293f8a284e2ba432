package io.tidemark.query.seats;

import java.time.Duration;

/**
 * Bounds of the requests that are served at once, and of those that wait for it.
 *
 * @param seats in total
 * @param perUser seats of one user
 * @param waiting requests that wait
 * @param waitingPerUser those of one user
 * @param longestWait of one request
 */
public record SeatLimits(
        int seats, int perUser, int waiting, int waitingPerUser, Duration longestWait) {
    private static final int SEATS = 800;
    private static final int QUARTER = 4;

    /** A user has at most a quarter of the seats and of the queue. */
    public static final SeatLimits DEFAULT =
            new SeatLimits(SEATS, SEATS / QUARTER, SEATS * QUARTER, SEATS, Duration.ofSeconds(3));

    public SeatLimits {
        if (perUser < 1 || seats < perUser || waitingPerUser < 0 || waiting < waitingPerUser) {
            throw new IllegalArgumentException(
                    "no seats: %d, per user %d, waiting %d, per user %d"
                            .formatted(seats, perUser, waiting, waitingPerUser));
        }
    }
}

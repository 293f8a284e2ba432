package io.tidemark.query.seats;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Who gets the seats. The requests of one user are seated in the order in which they came, and
 * users with waiting requests take turns. A user that has its share is passed over; a request that
 * needs more seats than are free makes all others wait, so that it is not passed over for ever.
 * Pure: no threads, no clock; not thread-safe.
 */
final class SeatQueue {
    private final SeatLimits limits;
    private final Map<String, Integer> seated = new HashMap<>();

    /** Users with waiting requests, the next one first. */
    private final Map<String, ArrayDeque<Place>> waiting = new LinkedHashMap<>();

    private int taken;
    private int queued;

    SeatQueue(SeatLimits limits) {
        this.limits = limits;
    }

    /** The place of one request, in the queue or on its seats. */
    static final class Place {
        private final String user;
        private final int seats;
        private boolean seated;
        private boolean left;

        private Place(String user, int seats) {
            this.user = user;
            this.seats = seats;
        }

        boolean isSeated() {
            return seated;
        }

        int seats() {
            return seats;
        }

        String user() {
            return user;
        }
    }

    /**
     * A request comes.
     *
     * @param seats that it needs; never more than a user may have
     * @return its place, which may have seats at once; empty when the queue is full
     */
    Optional<Place> enter(String user, int seats) {
        Place place = new Place(user, Math.clamp(seats, 1, limits.perUser()));
        if (!waiting.containsKey(user) && canSit(place) && !isHeldUp()) {
            sit(place);
            return Optional.of(place);
        }
        int ofUser = waiting.getOrDefault(user, new ArrayDeque<>()).size();
        if (queued >= limits.waiting() || ofUser >= limits.waitingPerUser()) {
            return Optional.empty();
        }
        waiting.computeIfAbsent(user, _ -> new ArrayDeque<>()).add(place);
        queued++;
        return Optional.of(place);
    }

    /**
     * A request ends, or waits no longer. Only the first call for a place counts.
     *
     * @return the places that have seats now
     */
    List<Place> leave(Place place) {
        if (place.left) {
            return List.of();
        }
        place.left = true;
        if (place.seated) {
            taken -= place.seats;
            seated.computeIfPresent(
                    place.user, (_, had) -> had == place.seats ? null : had - place.seats);
        } else {
            ArrayDeque<Place> others = waiting.get(place.user);
            if (others != null && others.remove(place)) {
                queued--;
                if (others.isEmpty()) {
                    waiting.remove(place.user);
                }
            }
        }
        return seatNext();
    }

    /** Seats that are taken. */
    int taken() {
        return taken;
    }

    /** Requests that wait. */
    int queued() {
        return queued;
    }

    int takenBy(String user) {
        return seated.getOrDefault(user, 0);
    }

    private List<Place> seatNext() {
        List<Place> found = new ArrayList<>();
        Optional<Place> next = next();
        while (next.isPresent() && hasSeatsFor(next.get())) {
            Place place = next.get();
            ArrayDeque<Place> others = Objects.requireNonNull(waiting.remove(place.user));
            others.remove();
            queued--;
            if (!others.isEmpty()) {
                waiting.put(place.user, others); // At the end: others have their turn first.
            }
            sit(place);
            found.add(place);
            next = next();
        }
        return found;
    }

    /** The first waiting request whose user has not its share yet. */
    private Optional<Place> next() {
        Iterator<ArrayDeque<Place>> users = waiting.values().iterator();
        while (users.hasNext()) {
            Place first = users.next().getFirst();
            if (isWithinShare(first)) {
                return Optional.of(first);
            }
        }
        return Optional.empty();
    }

    /** Whether a request waits because too few seats are free. */
    private boolean isHeldUp() {
        return next().isPresent();
    }

    private boolean canSit(Place place) {
        return isWithinShare(place) && hasSeatsFor(place);
    }

    private boolean isWithinShare(Place place) {
        return takenBy(place.user) + place.seats <= limits.perUser();
    }

    private boolean hasSeatsFor(Place place) {
        return taken + place.seats <= limits.seats();
    }

    private void sit(Place place) {
        place.seated = true;
        taken += place.seats;
        seated.merge(place.user, place.seats, Integer::sum);
    }
}

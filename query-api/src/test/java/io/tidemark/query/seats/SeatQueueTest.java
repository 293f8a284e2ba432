package io.tidemark.query.seats;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.seats.SeatQueue.Place;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeatQueueTest {
    private static final int SEEDS = 300;
    private static final int STEPS = 400;

    private static SeatQueue queue(int seats, int perUser, int waiting, int waitingPerUser) {
        return new SeatQueue(
                new SeatLimits(seats, perUser, waiting, waitingPerUser, Duration.ofSeconds(1)));
    }

    private static Place enter(SeatQueue queue, String user, int seats) {
        return queue.enter(user, seats).orElseThrow();
    }

    /** Random arrivals, ends and lost patience, compared with what must hold after each step. */
    @Test
    void keepsItsBoundsAndItsOrderUnderRandomRequests() {
        int waited = 0;
        int refused = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int perUser = 1 + random.nextInt(6);
            int seats = perUser + random.nextInt(12);
            int perUserWaiting = random.nextInt(5);
            int mostWaiting = perUserWaiting + random.nextInt(10);
            SeatQueue queue = queue(seats, perUser, mostWaiting, perUserWaiting);
            Model model = new Model(seats, perUser);
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(3) > 0 || model.places.isEmpty()) {
                    String user = "u" + random.nextInt(1 + random.nextInt(6));
                    Optional<Place> place = queue.enter(user, random.nextInt(12));
                    if (place.isEmpty()) {
                        refused++;
                        assertThat(
                                        queue.queued() >= mostWaiting
                                                || model.waitingOf(user) >= perUserWaiting)
                                .as("seed %d refuses only in a full queue", seed)
                                .isTrue();
                    } else {
                        model.entered(place.get());
                        waited += place.get().isSeated() ? 0 : 1;
                    }
                } else {
                    Place left = model.places.get(random.nextInt(model.places.size()));
                    model.left(left);
                    List<Place> next = queue.leave(left);
                    model.seated(next, "seed " + seed + " step " + step);
                    assertThat(queue.leave(left)).isEmpty();
                }
                model.check(queue, "seed " + seed + " step " + step);
                assertThat(queue.queued()).isLessThanOrEqualTo(mostWaiting);
            }
            for (Place each : List.copyOf(model.places)) {
                model.left(each);
                model.seated(queue.leave(each), "end of seed " + seed);
            }
            assertThat(queue.taken() + queue.queued()).isZero();
        }
        assertThat(waited).isGreaterThan(SEEDS);
        assertThat(refused).isGreaterThan(SEEDS);
    }

    /** What a reader of the rules would keep on paper. */
    private static final class Model {
        private final int seats;
        private final int perUser;
        private final List<Place> places = new ArrayList<>();
        private final Map<String, ArrayDeque<Place>> waiting = new HashMap<>();

        Model(int seats, int perUser) {
            this.seats = seats;
            this.perUser = perUser;
        }

        int waitingOf(String user) {
            return waiting.getOrDefault(user, new ArrayDeque<>()).size();
        }

        void entered(Place place) {
            places.add(place);
            if (!place.isSeated()) {
                waiting.computeIfAbsent(place.user(), _ -> new ArrayDeque<>()).add(place);
            }
        }

        void left(Place place) {
            places.remove(place);
            waiting.getOrDefault(place.user(), new ArrayDeque<>()).remove(place);
        }

        void seated(List<Place> next, String at) {
            for (Place each : next) {
                assertThat(waiting.get(each.user()).poll())
                        .as("first in first out, " + at)
                        .isSameAs(each);
                assertThat(each.isSeated()).isTrue();
            }
        }

        void check(SeatQueue queue, String at) {
            Map<String, Integer> taken = new HashMap<>();
            places.stream()
                    .filter(Place::isSeated)
                    .forEach(each -> taken.merge(each.user(), each.seats(), Integer::sum));
            int sum = taken.values().stream().mapToInt(each -> each).sum();
            assertThat(queue.taken()).as(at).isEqualTo(sum).isLessThanOrEqualTo(seats);
            assertThat(taken.values()).as(at).allMatch(each -> each <= perUser);
            taken.forEach((user, each) -> assertThat(queue.takenBy(user)).isEqualTo(each));
            assertThat(queue.queued())
                    .as(at)
                    .isEqualTo(waiting.values().stream().mapToInt(ArrayDeque::size).sum());
            // Seats stay free only if the next request of each waiting user does not fit.
            boolean tooLarge = false;
            boolean allHaveTheirShare = true;
            for (ArrayDeque<Place> each : waiting.values()) {
                if (!each.isEmpty()) {
                    Place first = each.getFirst();
                    boolean hasShare =
                            taken.getOrDefault(first.user(), 0) + first.seats() > perUser;
                    allHaveTheirShare &= hasShare;
                    tooLarge |= !hasShare && sum + first.seats() > seats;
                }
            }
            assertThat(allHaveTheirShare || tooLarge).as("no seat is wasted, " + at).isTrue();
        }
    }

    @Test
    void usersTakeTurns() {
        SeatQueue queue = queue(1, 1, 100, 100);
        Place first = enter(queue, "x", 1);
        List<Place> waiting = new ArrayList<>();
        for (String user : List.of("a", "a", "a", "b", "b", "c")) {
            waiting.add(enter(queue, user, 1));
        }
        List<String> order = new ArrayList<>();
        List<Place> next = queue.leave(first);
        while (!next.isEmpty()) {
            assertThat(next).hasSize(1);
            order.add(next.getFirst().user() + waiting.indexOf(next.getFirst()));
            next = queue.leave(next.getFirst());
        }
        assertThat(order).containsExactly("a0", "b3", "c5", "a1", "b4", "a2");
    }

    @Test
    void aUserWithAllOfItsShareDelaysNoOther() {
        SeatQueue queue = queue(4, 1, 100, 100);
        enter(queue, "greedy", 1);
        for (int i = 0; i < 50; i++) {
            assertThat(enter(queue, "greedy", 1).isSeated()).isFalse();
        }
        assertThat(enter(queue, "a", 1).isSeated()).isTrue();
        assertThat(enter(queue, "b", 1).isSeated()).isTrue();
        assertThat(enter(queue, "c", 1).isSeated()).isTrue();
    }

    @Test
    void aLargeRequestIsNotPassedOverForEver() {
        SeatQueue queue = queue(10, 10, 100, 100);
        Place small = enter(queue, "a", 1);
        Place large = enter(queue, "b", 10);
        assertThat(large.isSeated()).isFalse();
        assertThat(enter(queue, "c", 1).isSeated()).isFalse();
        assertThat(queue.leave(small)).containsExactly(large);
    }

    @Test
    void aRequestThatNeedsMoreThanAShareGetsTheShare() {
        SeatQueue queue = queue(8, 2, 0, 0);
        assertThat(enter(queue, "a", 10).seats()).isEqualTo(2);
    }
}

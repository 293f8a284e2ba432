package io.tidemark.authentication.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LaneTest {
    private final Lane lane = new Lane("reviews", 1, 8, Duration.ZERO, Duration.ofSeconds(1));

    @Test
    void oneAskerHasAQuarterOfThePlaces() {
        assertThat(lane.enter("ann")).isEmpty();
        assertThat(lane.enter("ann")).isEmpty();
        assertThat(lane.enter("ann")).contains("2 requests of this user wait for reviews already");
        assertThat(lane.enter("bob")).isEmpty();

        lane.leave("ann");
        assertThat(lane.enter("ann")).isEmpty();
    }

    @Test
    void unknownAskersShareAllPlaces() {
        for (int i = 0; i < 8; i++) {
            assertThat(lane.enter(Lane.ANYONE)).isEmpty();
        }
        assertThat(lane.enter(Lane.ANYONE)).contains("8 requests wait for reviews already");
        assertThat(lane.enter("ann")).isPresent();

        lane.leave(Lane.ANYONE);
        assertThat(lane.enter("ann")).isEmpty();
    }

    @Test
    void aTurnIsGivenBack() throws Exception {
        assertThat(lane.begin()).isEmpty();
        assertThat(lane.begin()).contains("1 reviews are running");
        lane.end();
        assertThat(lane.begin()).isEmpty();
    }
}

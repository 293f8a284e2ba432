package io.tidemark.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.selfcheck.Course.Action;
import io.tidemark.selfcheck.Course.Step;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CourseTest {
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final long DAY = Duration.ofDays(1).toMillis();

    @Test
    void whatDiffersIsRebuiltAtOnceAndThenTheTopicIsSuspected() {
        Step first = Course.BEGIN.differs("a", MINUTE);
        assertThat(first.action()).isEqualTo(Action.REBUILD);
        assertThat(first.next().topicSuspected()).isFalse();

        Step second = first.next().differs("a", 2 * MINUTE);
        assertThat(second.action()).isEqualTo(Action.NOTHING);
        assertThat(second.next().topicSuspected()).isTrue();
        assertThat(second.next().finding()).isEqualTo("a");

        Course proven = second.next().proven(7, 3 * MINUTE);
        assertThat(proven.finding()).isEmpty();
        assertThat(proven.topicSuspected()).isFalse();
        assertThat(proven.provenRevision()).isEqualTo(7);
    }

    @Test
    void rebuildsBecomeRareWhateverIsFound() {
        Course course = Course.BEGIN;
        int rebuilds = 0;
        for (long now = MINUTE; now < 3 * DAY; now += MINUTE) {
            Step step = now % 3 == 0 ? course.unreadable("broken", now) : course.differs("a", now);
            course = step.next();
            rebuilds += step.action() == Action.REBUILD ? 1 : 0;
            course = now % 2 == 0 ? course.proven(now, now) : course;
        }
        // 10, 20, 40, 80, 160 and 320 minutes, then every six hours.
        assertThat(rebuilds).isBetween(15, 19);
    }

    @Test
    void aDayWithoutMakesTheNextOneFree() {
        Course course = Course.BEGIN.differs("a", MINUTE).next().proven(1, 2 * MINUTE);
        assertThat(course.differs("b", 3 * MINUTE).action()).isEqualTo(Action.NOTHING);
        assertThat(course.differs("b", 12 * MINUTE).action()).isEqualTo(Action.REBUILD);

        Course later = course.proven(2, MINUTE + DAY);
        assertThat(later.rebuilds()).isZero();
        assertThat(later.differs("b", 2 * MINUTE + DAY).action()).isEqualTo(Action.REBUILD);
    }

    @Test
    void aCopyThatCannotBeReadSaysNothingOfTheTopic() {
        Course course = Course.BEGIN.unreadable("checksum", MINUTE).next();

        assertThat(course.topicSuspected()).isFalse();
        assertThat(course.unreadable("checksum", 20 * MINUTE).next().topicSuspected()).isFalse();
    }
}

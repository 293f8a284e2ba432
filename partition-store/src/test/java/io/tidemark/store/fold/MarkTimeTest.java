package io.tidemark.store.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Change.TideMark;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkTimeTest {
    private static final long BROKER = 1_700_000_000_000L;

    @ParameterizedTest
    @CsvSource({
        "-1, -1",
        "-3600000, -3600000",
        "-3600001, -3600000",
        "0, 0",
        "1, 0",
    })
    void theStateIsAsOfTheMarksCreationUnlessItWaitedForTooLong(long made, long asOf) {
        assertThat(MarkTime.asOf(mark(BROKER + made), BROKER)).isEqualTo(BROKER + asOf);
    }

    @ParameterizedTest
    @CsvSource({"-300000, -300000", "-300001, 0", "300000, 300000", "300001, 0"})
    void theConnectorsTimeCountsUnlessItsClockIsWrong(long made, long counted) {
        assertThat(MarkTime.of(mark(BROKER + made), BROKER)).isEqualTo(BROKER + counted);
    }

    /** Earlier by how much, with the connector's clock ahead of the broker's by how much. */
    @ParameterizedTest
    @CsvSource({
        "600001, 0, true",
        "600000, 0, false",
        "600001, 300000, true",
        "600001, 300001, false",
        "600001, -300001, false"
    })
    void twoClocksThatAgreeCorrectATimeThatWasAhead(long by, long difference, boolean corrects) {
        TideMark mark = mark(BROKER + difference);
        assertThat(MarkTime.correctsEarlier(mark, BROKER, mark.timeMillis() + by))
                .isEqualTo(corrects);
    }

    @Test
    void aMarkWithoutTimeHasThatOfItsRecord() {
        assertThat(MarkTime.asOf(mark(0), BROKER)).isEqualTo(BROKER);
        assertThat(MarkTime.of(mark(0), BROKER)).isEqualTo(BROKER);
    }

    private static TideMark mark(long timeMillis) {
        return new TideMark(1, 10, TideMark.Kind.PROGRESS, 1, "").withTime(timeMillis);
    }
}

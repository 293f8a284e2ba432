package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZonedDateTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeArgumentTest {
    private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-11-21T14:30:00+01:00");

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T14:03:00Z, 2026-11-21T14:03:00Z",
        "2026-11-21T14:03:00.25+02:00, 2026-11-21T12:03:00.250Z",
        "2026-11-21 14:03:00Z, 2026-11-21T14:03:00Z",
        "2026-11-21 14:03, 2026-11-21T13:03:00Z",
        "2026-11-21T14:03:07, 2026-11-21T13:03:07Z",
        "2026-11-20, 2026-11-19T23:00:00Z",
        "14:03, 2026-11-21T13:03:00Z",
        "9:05, 2026-11-21T08:05:00Z",
        "14:03:30, 2026-11-21T13:03:30Z",
        "23:00, 2026-11-20T22:00:00Z",
        "-15m, 2026-11-21T13:15:00Z",
        "-1h30m, 2026-11-21T12:00:00Z",
        "15m ago, 2026-11-21T13:15:00Z",
        "1d 2h ago, 2026-11-20T11:30:00Z",
        "90s ago, 2026-11-21T13:28:30Z"
    })
    void readsTimes(String text, String instant) {
        assertThat(TimeArgument.parse("--at", text, NOW).query()).isEqualTo("at=" + instant);
    }

    @ParameterizedTest
    @CsvSource({
        "now, ''",
        "4711, resourceVersion=4711&resourceVersionMatch=Exact",
        "' 12 ', resourceVersion=12&resourceVersionMatch=Exact"
    })
    void readsNowAndRevisions(String text, String query) {
        assertThat(TimeArgument.parse("--from", text, NOW).query()).isEqualTo(query);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "soon",
                "-15",
                "15m",
                "25:00",
                "2026-13-01",
                "-m",
                "1h ago ago",
                "-1w",
                "-0",
                "1 0m ago",
                "-10000000005m"
            })
    void refusesInvalidTimesWithExamples(String text) {
        assertThatThrownBy(() -> TimeArgument.parse("--from", text, NOW))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(
                        "--from: '" + text + "' is not a time; write 2026-11-21T14:03");
    }
}

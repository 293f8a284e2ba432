package io.tidemark.query.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanDurationTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT-0.5S, 0s",
        "PT-1.5S, 0s",
        "PT-2S, <invalid>",
        "PT119S, 119s",
        "PT120S, 2m",
        "PT9M59S, 9m59s",
        "PT10M1S, 10m",
        "PT179M59S, 179m",
        "PT3H, 3h",
        "PT7H59M, 7h59m",
        "PT8H1M, 8h",
        "PT47H59M, 47h",
        "PT48H, 2d",
        "PT51H, 2d3h",
        "PT191H, 7d23h",
        "PT192H, 8d",
        "P729D, 729d",
        "P730D, 2y",
        "P731D, 2y1d",
        "P2919D, 7y364d",
        "P2920D, 8y",
        "P3700D, 10y",
        "PT-9223372036854775808S, <invalid>"
    })
    void formatsDurationsLikeKubectl(Duration span, String shown) {
        assertThat(HumanDuration.of(span)).isEqualTo(shown);
    }

    @Test
    void formatsInvalidTimestampsAsUnknown() {
        Instant now = Instant.parse("2026-01-01T00:10:30Z");

        assertThat(HumanDuration.since("2026-01-01T00:00:00Z", now)).isEqualTo("10m");
        assertThat(HumanDuration.since("2026-01-01T01:10:00.123456+01:00", now)).isEqualTo("29s");
        assertThat(HumanDuration.since("", now)).isEqualTo("<unknown>");
        assertThat(HumanDuration.since("soon", now)).isEqualTo("<unknown>");
        assertThat(HumanDuration.since("0001-01-01T00:00:00Z", now)).isEqualTo("<unknown>");
        assertThat(HumanDuration.since("2026-01-01T00:00Z", now)).isEqualTo("<unknown>");
    }
}

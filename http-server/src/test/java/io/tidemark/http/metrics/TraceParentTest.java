package io.tidemark.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";

    @ParameterizedTest
    @ValueSource(strings = {"00-%s-%s-01", "00-%s-%s-03", "cc-%s-%s-ff"})
    void readsASampledTrace(String form) {
        assertThat(TraceParent.parse(form.formatted(TRACE, SPAN)))
                .contains(new TraceParent(TRACE, SPAN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"00-%s-%s-00", "ff-%s-%s-01", "00-%s-%s", "00-%s-%s-01-x", " 00-%s-%s-01"})
    void refusesOthers(String form) {
        assertThat(TraceParent.parse(form.formatted(TRACE, SPAN))).isEmpty();
    }

    @Test
    void refusesIdsOfZeros() {
        assertThat(TraceParent.parse("00-%s-%s-01".formatted("0".repeat(32), SPAN))).isEmpty();
        assertThat(TraceParent.parse("00-%s-%s-01".formatted(TRACE, "0".repeat(16)))).isEmpty();
        assertThat(TraceParent.parse("00-%s-%s-01".formatted(TRACE.toUpperCase(Locale.ROOT), SPAN)))
                .isEmpty();
    }
}

package io.tidemark.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoNumbersTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, -0",
        "1.0, 1",
        "1.5, 1.5",
        "-100, -100",
        "9223372036854775808, 9223372036854776000",
        "1e20, 100000000000000000000",
        "1e21, 1e+21",
        "-1.25e25, -1.25e+25",
        "1e-6, 0.000001",
        "1.5e-6, 0.0000015",
        "1e-7, 1e-7",
        "1.5e-10, 1.5e-10",
        "5e-324, 5e-324",
        "2e-323, 2e-323",
        "1.7976931348623157e308, 1.7976931348623157e+308",
        "0.1, 0.1",
        "123456.789, 123456.789"
    })
    void printsAsGoDoes(double value, String expected) {
        assertThat(GoNumbers.print(value)).isEqualTo(expected);
    }

    @Test
    void printedNumbersReadBackEqual() {
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < 20_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(Double.parseDouble(GoNumbers.print(value))).isEqualTo(value);
            }
        }
    }
}

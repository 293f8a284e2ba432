package io.tidemark.query.representation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.serving.status.StatusException.Cause;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DocumentFormatTest {
    @ParameterizedTest
    @EnumSource
    void aShortenedRefusalIsShortInAnyFormat(DocumentFormat format) {
        for (String each : new String[] {"\u0001", "\u2028", "<", "\n", "\n a", "\"", "ä", "😀"}) {
            String text = each.repeat(10_000);
            FailureStatus whole =
                    new FailureStatus(
                            400,
                            "Invalid",
                            text,
                            Map.of("name", text),
                            List.of(new Cause("FieldValueInvalid", text, text)),
                            1,
                            text);
            assertThat(format.write(whole)).hasSizeGreaterThan(8 << 10);
            assertThat(format.write(whole.shortened())).hasSizeLessThan(8 << 10);
        }
    }
}

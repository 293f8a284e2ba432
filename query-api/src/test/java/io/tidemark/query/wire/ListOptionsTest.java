package io.tidemark.query.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListOptionsTest {
    private static final String INVALID = "ListOptions.meta.k8s.io \"\" is invalid: ";
    private static final String TOKEN = new ContinueToken(5, "a\0").encode();

    private static ListOptions parse(String query) {
        return ListOptions.parse(Parameters.parse(query.replace("TOKEN", TOKEN)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "resourceVersion=0",
                "resourceVersion=00&resourceVersionMatch=Exact",
                "resourceVersion=5&resourceVersionMatch=Exact&limit=3",
                "resourceVersion=18446744073709551615",
                "resourceVersion=0&resourceVersionMatch=NotOlderThan",
                "continue=TOKEN",
                "continue=TOKEN&resourceVersion=0",
                "limit=-1",
                "timeoutSeconds=0&unknown=1"
            })
    void acceptsValidListOptions(String query) {
        ListOptionsRules.checkList(parse(query));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
"""
resourceVersionMatch=Exact | 422 | resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided
resourceVersionMatch=Exact&resourceVersion=0 | 422 | resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"
resourceVersionMatch=exact&resourceVersion=5 | 422 | resourceVersionMatch: Unsupported value: "exact": supported values: "Exact", "NotOlderThan", ""
resourceVersionMatch=Exact&resourceVersion=5&continue=TOKEN | 422 | resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided
sendInitialEvents=false | 422 | sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list
resourceVersionMatch=Bogus | 422 | [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, resourceVersionMatch: Unsupported value: "Bogus": supported values: "Exact", "NotOlderThan", ""]
continue=TOKEN&resourceVersion=5 | 400 | specifying resource version is not allowed when using continue
resourceVersion=abc | 400 | invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax
resourceVersion=%205 | 400 | invalid resource version: resourceVersion: Invalid value: " 5": strconv.ParseUint: parsing " 5": invalid syntax
resourceVersion=99999999999999999999 | 400 | invalid resource version: resourceVersion: Invalid value: "99999999999999999999": strconv.ParseUint: parsing "99999999999999999999": value out of range
""")
    void refusesInvalidListOptions(String query, int code, String message) {
        refused(() -> ListOptionsRules.checkList(parse(query)), code, message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "watch",
                "watch=&resourceVersion=0",
                "watch=1&resourceVersion=5&continue=x&limit=1",
                "watch=1&sendInitialEvents=&resourceVersionMatch=NotOlderThan",
                "watch=1&sendInitialEvents=0&resourceVersionMatch=NotOlderThan&resourceVersion=7"
            })
    void acceptsValidWatchOptions(String query) {
        ListOptionsRules.checkWatch(parse(query).withWatchDefaults());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
"""
watch=1&sendInitialEvents=false | 422 | resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan
watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=5 | 422 | resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided
watch=1&resourceVersionMatch=Exact&resourceVersion=5 | 422 | [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]
watch=1&continue=x | 422 | resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided
watch=1&resourceVersion=1.5 | 400 | invalid resource version: resourceVersion: Invalid value: "1.5": strconv.ParseUint: parsing "1.5": invalid syntax
""")
    void refusesInvalidWatchOptions(String query, int code, String message) {
        refused(() -> ListOptionsRules.checkWatch(parse(query).withWatchDefaults()), code, message);
    }

    @Test
    void treatsAPlainWatchAsAWatchList() {
        ListOptions plain = parse("watch&resourceVersion=0").withWatchDefaults();
        assertThat(plain.sendInitialEvents()).isTrue();
        assertThat(plain.match()).isEqualTo(ListOptions.NOT_OLDER_THAN);
        for (String other : new String[] {"watch&resourceVersion=7", "resourceVersion=0"}) {
            assertThat(parse(other).withWatchDefaults().sendInitialEvents()).isNull();
        }
    }

    @Test
    void parsesBooleansLikeTheApiServer() {
        for (String yes : new String[] {"watch", "watch=", "watch=yes", "watch=1"}) {
            assertThat(parse(yes).watch()).isTrue();
        }
        for (String no : new String[] {"", "watch=0", "watch=False"}) {
            assertThat(parse(no).watch()).isFalse();
        }
    }

    @Test
    void takesTheFirstOfTwoValues() {
        assertThat(parse("resourceVersion=3&resourceVersion=4").revision()).isEqualTo(3);
    }

    @Test
    void clampsARevisionToTheGreatestLong() {
        assertThat(parse("resourceVersion=9223372036854775808").revision())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void parsesGoDurations() {
        assertThat(GoDuration.parse("1m30s")).isEqualTo(Duration.ofSeconds(90));
        assertThat(GoDuration.parse("1.5s")).isEqualTo(Duration.ofMillis(1500));
        assertThat(GoDuration.parse("0")).isEqualTo(Duration.ZERO);
        assertThat(GoDuration.parse("-2ms")).isEqualTo(Duration.ofMillis(-2));
        assertThat(GoDuration.parse(".5s1.m")).isEqualTo(Duration.ofMillis(60_500));
        assertThat(GoDuration.parse("1\u00b5s1\u03bcs")).isEqualTo(Duration.ofNanos(2_000));
    }

    @ParameterizedTest
    @CsvSource({
        "5, missing unit in duration \"5\"",
        "1.5, missing unit in duration \"1.5\"",
        "1s2, missing unit in duration \"1s2\"",
        "5x, unknown unit \"x\" in duration \"5x\"",
        "abc, invalid duration \"abc\"",
        "s, invalid duration \"s\"",
        ".s, invalid duration \".s\"",
        "-, invalid duration \"-\"",
        "9999999h, invalid duration \"9999999h\""
    })
    void refusesOtherDurationsWithGosText(String text, String why) {
        assertThatThrownBy(() -> GoDuration.parse(text))
                .isInstanceOf(StatusException.class)
                .hasMessage("invalid timeout specified in the request URL - time: " + why);
    }

    private static void refused(Runnable check, int code, String message) {
        StatusException refused = catchThrowableOfType(StatusException.class, check::run);
        assertThat(refused).isNotNull();
        assertThat(refused.status().code()).isEqualTo(code);
        assertThat(refused.status().message()).isEqualTo((code == 422 ? INVALID : "") + message);
    }
}

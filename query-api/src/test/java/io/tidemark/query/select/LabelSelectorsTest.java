package io.tidemark.query.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorsTest {
    @Test
    void parsesAllForms() {
        assertThat(LabelSelectors.parse("a=1,b==2,c!=3,d in (x, y),e notin (z),f,!g,h>5,i<6"))
                .containsExactly(
                        label("a", Operator.IN, "1"),
                        label("b", Operator.IN, "2"),
                        label("c", Operator.NOT_IN, "3"),
                        label("d", Operator.IN, "x", "y"),
                        label("e", Operator.NOT_IN, "z"),
                        label("f", Operator.EXISTS),
                        label("g", Operator.ABSENT),
                        label("h", Operator.GREATER, "5"),
                        label("i", Operator.LESS, "6"));
    }

    @Test
    void acceptsEmptyValuesAndKeywordsAsNames() {
        assertThat(LabelSelectors.parse("a=,b in (,x),c in (),in,notin in (in)"))
                .containsExactly(
                        label("a", Operator.IN, ""),
                        label("b", Operator.IN, "", "x"),
                        label("c", Operator.IN, ""),
                        label("in", Operator.EXISTS),
                        label("notin", Operator.IN, "in"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void selectsEverythingWithABlankSelector(String selector) {
        assertThat(LabelSelectors.parse(selector)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,            | found '', expected: identifier after ','",
                "a b           | unable to parse requirement: found 'b', expected: in, notin, =,"
                        + " ==, !=, gt, lt",
                "!a=b          | found '=', expected: ',' or 'end of string'",
                "a in (x       | unable to parse requirement: found '', expected: ',' or ')'",
                "a in (x,      | unable to parse requirement: found '', expected: ',', or"
                        + " identifier",
                "a=(           | unable to parse requirement: found '(', expected: identifier",
                "a>x           | unable to parse requirement: values[0]: Invalid value: \"x\": for"
                        + " 'Gt', 'Lt' operators, the value must be an integer",
                "a/b/c=1       | unable to parse requirement: <nil>: Invalid value: \"a/b/c\": a"
                    + " qualified name must consist of alphanumeric characters, '-', '_' or '.',"
                    + " and must start and end with an alphanumeric character (e.g. 'MyName',  or"
                    + " 'my.name',  or '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain"
                    + " prefix and '/' (e.g. 'example.com/MyName')",
                "A_B/c         | unable to parse requirement: <nil>: Invalid value: \"A_B/c\":"
                    + " prefix part a lowercase RFC 1123 subdomain must consist of lower case"
                    + " alphanumeric characters, '-' or '.', and must start and end with an"
                    + " alphanumeric character (e.g. 'example.com', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            })
    void refusesInvalidSelectorsWithAReason(String selector, String message) {
        assertThatThrownBy(() -> LabelSelectors.parse(selector))
                .isInstanceOf(StatusException.class)
                .hasMessage(message);
    }

    /** The API server takes it for the end in some places, and ignores the terms that follow. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=b\0,c=d",
                "a=b \0,c=d",
                "a=b,\0c=d",
                "\0a=b",
                "a\0",
                "a in (b,\0c)",
                "a>5\0"
            })
    void refusesANul(String selector) {
        assertThatThrownBy(() -> LabelSelectors.parse(selector))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(400));
    }

    /** Each error repeats the key. */
    @Test
    void namesTheFirstOfVeryManyErrors() {
        String key = "d".repeat(250) + "/" + "k".repeat(63);
        String values =
                IntStream.range(0, 7_000)
                        .mapToObj(i -> "-" + Integer.toString(i, 36))
                        .collect(Collectors.joining(","));
        assertThatThrownBy(() -> LabelSelectors.parse(key + " in (" + values + ")"))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused ->
                                assertThat(refused.status().message())
                                        .contains("values[0][" + key + "]")
                                        .contains("values[19][" + key + "]")
                                        .doesNotContain("values[20]")
                                        .hasSizeLessThan(17_000));
    }

    @Test
    void parsesOrRefusesAnyText() {
        long seed = Long.getLong("tidemark.seed", 1);
        SplittableRandom random = new SplittableRandom(seed);
        String[] pieces = {
            "a",
            "in",
            "notin",
            " ",
            "=",
            "==",
            "!",
            "!=",
            "(",
            ")",
            ",",
            ">",
            "<",
            "/",
            "-",
            "é",
            "\0",
            "\"",
            "%",
            "\ud800",
            "5",
            "x".repeat(70),
            "b.c/d"
        };
        for (int round = 0; round < 20_000; round++) {
            StringBuilder selector = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                selector.append(pieces[random.nextInt(pieces.length)]);
            }
            try {
                assertThat(LabelSelectors.parse(selector.toString())).isNotNull();
            } catch (StatusException e) {
                assertThat(e.status().code()).as("seed %d: %s", seed, selector).isEqualTo(400);
            }
        }
    }

    @Test
    void parsesALongSelectorQuickly() {
        String key = "a".repeat(100_000) + "!";

        assertThatThrownBy(() -> LabelSelectors.parse(key + "=" + key))
                .isInstanceOf(StatusException.class);
        assertThat(LabelSelectors.parse("a,".repeat(20_000) + "a")).hasSize(20_001);
    }

    private static Requirement label(String name, Operator operator, String... values) {
        return new Requirement(Source.LABEL, name, operator, Set.of(values));
    }
}

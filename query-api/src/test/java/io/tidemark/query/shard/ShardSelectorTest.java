package io.tidemark.query.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardSelectorTest {
    /** Bytes; half of the default, since a request's thread has frames below the parser's. */
    private static final long LITTLE_STACK = 512 << 10;

    private static final String LOW =
            "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
    private static final String HIGH =
            "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";

    @Test
    void rangesBecomeOneRequirement() {
        ShardSelector selector = ShardSelector.parse(LOW + " || " + HIGH).orElseThrow();
        assertThat(selector.text()).isEqualTo(LOW + " || " + HIGH);
        assertThat(selector.requirement())
                .isEqualTo(
                        new Requirement(
                                Source.FIELD,
                                "metadata.uid",
                                Operator.HASH_IN,
                                Set.of(
                                        "0000000000000000-7fffffffffffffff",
                                        "8000000000000000-ffffffffffffffff")));
    }

    @Test
    void noneIsNone() {
        assertThat(ShardSelector.parse("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  shardRange ( object . metadata . uid,'0x0000000000000000','0x8000000000000000')",
                "(shardRange((object.metadata).uid, r'0x0000000000000000', '0x8000000000000000'))",
                "shardRange(object.metadata.uid, \"\"\"0x0000000000000000\"\"\","
                        + " '0x8000000000000000')",
                "shardRange(object.metadata.uid, '\\x30x000000000000000\\060',"
                        + " '\\u0030x8000000000000000')",
                "any.shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000') //"
                        + " low",
                "!!shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')"
            })
    void celHasManyWaysToWriteTheSame(String text) {
        assertThat(ShardSelector.parse(text).orElseThrow().text()).isEqualTo(LOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '§',
            quoteCharacter = '`',
            value = {
                "shardRange(object.metadata.uid, '0x1', '0x2') § hexStart must be a 0x-prefixed"
                        + " 16-digit hex value, got \"0x1\" (did you mean \"0x0000000000000001\"?)",
                "shardRange(object.metadata.uid, '0x000000000000000000', '0x2') § hexStart: hex"
                        + " value too long (18 chars, max 17): \"000000000000000000\"",
                "shardRange(object.metadata.uid, '0x00000000000000é0', '0x2') § hexStart: invalid"
                        + " hex character \"é\" in \"0x00000000000000é0\"",
                "shardRange(object.metadata.uid, 1u, '0x2') § hexStart must be a string literal,"
                        + " got uint64",
                "shardRange(object.metadata.uid, 1.5e3, '0x2') § hexStart must be a string literal,"
                        + " got float64",
                "shardRange(object.metadata.uid, b'0x', '0x2') § hexStart must be a string literal,"
                        + " got []uint8",
                "shardRange(object.metadata.uid, -x, '0x2') § hexStart must be a string literal"
                        + " (e.g. '0xff'), got expression kind 1",
                "shardRange(object.metadata.uid, {1: 2}, '0x2') § hexStart must be a string literal"
                        + " (e.g. '0xff'), got expression kind 6",
                "shardRange(object.metadata.uid, M{a: 2}, '0x2') § hexStart must be a string"
                        + " literal (e.g. '0xff'), got expression kind 8",
                "a ? b : c § unsupported function \"_?_:_\"; only shardRange() and || are allowed",
                "a[1] § unsupported function \"_[_]\"; only shardRange() and || are allowed",
                "a < b § unsupported function \"_<_\"; only shardRange() and || are allowed",
                "package § CEL parse error: reserved identifier: package",
                "99999999999999999999 § CEL parse error: invalid int literal",
                "'a § CEL parse error: Syntax error: token recognition error at: ''a'",
                "a & b § CEL parse error: Syntax error: token recognition error at: '& '"
            })
    void errorsAreTheApiServers(String text, String error) {
        StatusException refused =
                catchThrowableOfType(StatusException.class, () -> ShardSelector.parse(text));
        assertThat(refused.status().code()).isEqualTo(500);
        assertThat(refused.status().reason()).isEmpty();
        assertThat(refused.status().message()).isEqualTo("invalid shard selector: " + error);
    }

    @Test
    void depthIsBounded() {
        assertThat(ShardSelector.parse(nested(248))).isPresent();
        assertThatThrownBy(() -> ShardSelector.parse("(".repeat(100_000)))
                .hasMessageContaining("expression recursion limit exceeded: 250");
        assertThatThrownBy(() -> ShardSelector.parse("a" + ".b".repeat(100_000)))
                .hasMessageContaining("unexpected expression kind 7");
        assertThatThrownBy(() -> ShardSelector.parse("x" + "||x".repeat(100_000)))
                .hasMessageContaining("unexpected expression kind 3");
        assertThatThrownBy(() -> ShardSelector.parse("-".repeat(100_000) + "x"))
                .hasMessageContaining("unexpected expression kind 3");
    }

    /** Compiled first, since frames of quickly compiled code are the largest. */
    @Test
    void deepestSelectorNeedsLittleStack() throws Exception {
        for (int i = 0; i < 200; i++) {
            assertThat(ShardSelector.parse(nested(20))).isPresent();
        }
        FutureTask<Optional<ShardSelector>> parsed =
                new FutureTask<>(() -> ShardSelector.parse(nested(248)));
        new Thread(null, parsed, "little stack", LITTLE_STACK).start();
        assertThat(parsed.get()).isPresent();
    }

    private static String nested(int depth) {
        return "(".repeat(depth) + LOW + ")".repeat(depth);
    }

    /** Any text gets an answer, and what is accepted is accepted in the API server's form again. */
    @Test
    void survivesAnyText() {
        String[] pieces = {
            LOW,
            HIGH,
            "||",
            "&&",
            "(",
            ")",
            ",",
            "'",
            "\"",
            "\\",
            "0x",
            "shardRange",
            "object",
            ".",
            "metadata",
            "uid",
            " ",
            "!",
            "-",
            "1",
            "[",
            "]",
            "{",
            "}",
            ":",
            "?",
            "in",
            "é",
            "//",
            "\n"
        };
        SplittableRandom random = new SplittableRandom(21);
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(1, 7); j > 0; j--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            try {
                ShardSelector selector = ShardSelector.parse(text.toString()).orElseThrow();
                assertThat(ShardSelector.parse(selector.text())).contains(selector);
                accepted++;
            } catch (StatusException e) {
                assertThat(e.status().message()).startsWith("invalid shard selector: ");
            }
        }
        assertThat(accepted).isGreaterThan(100);
    }
}

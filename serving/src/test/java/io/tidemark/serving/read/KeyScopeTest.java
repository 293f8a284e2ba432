package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyScopeTest {
    @ParameterizedTest
    @CsvSource({
        "EXACT, /r/pods/a/x, /r/pods/a/x, true",
        "EXACT, /r/pods/a/x, /r/pods/a/xy, false",
        "DIRECTORY, /r/pods/a/, /r/pods/a/x, true",
        "DIRECTORY, /r/pods/a/, /r/pods/a/x/y, false",
        "DIRECTORY, /r/pods/a/, /r/pods/b/x, false",
        "COLLECTION, /r/pods/, /r/pods/a/x, true",
        "COLLECTION, /r/pods/, /r/pods/x, false",
        "COLLECTION, /r/pods/, /r/pods/a/x/y, false",
        "COLLECTION, /r/pods/, /r/jobs/a/x, false",
        "PREFIX, /r/po, /r/pods/a/x, true",
        "PREFIX, /r/po, /r/jobs/a/x, false"
    })
    void containsTheKeysOfItsKind(KeyScope.Kind kind, String key, String candidate, boolean in) {
        assertThat(new KeyScope(kind, Bytes.utf8(key)).contains(Bytes.utf8(candidate)))
                .isEqualTo(in);
    }

    /** A key lies in one of the partitions that a read of its scope asks. */
    @ParameterizedTest
    @CsvSource({
        "EXACT, /r/pods/a/x, 1",
        "DIRECTORY, /r/pods/a/, 1",
        "COLLECTION, /r/pods/, 64",
        "PREFIX, /r/po, 64"
    })
    void aReadAsksThePartitionsOfItsScope(KeyScope.Kind kind, String scope, int expected) {
        PartitionSet asked = PartitionSet.of(new KeyScope(kind, Bytes.utf8(scope)), 64);
        PartitionSet ofKey = PartitionSet.of(KeyScope.exact(Bytes.utf8("/r/pods/a/x")), 64);
        assertThat(asked.size()).isEqualTo(expected);
        assertThat(asked.numbers()).contains(ofKey.first());
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "2, 2", "2, 1"})
    void refusesAnEmptyOrNegativeRangeOfPartitions(int first, int endExclusive) {
        assertThatThrownBy(() -> new PartitionSet(first, endExclusive))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 0, 0", "3, 4, 3, 3", "3, 6, 5, '[3, 4, 5]'"})
    void numbersItsPartitions(int first, int endExclusive, int last, String text) {
        PartitionSet set = new PartitionSet(first, endExclusive);
        assertThat(set.at(set.size() - 1)).isEqualTo(last);
        assertThat(set).hasToString(text);
    }
}

package io.tidemark.view.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HashRangeTest {
    /** From the test vectors that the authors of FNV publish. */
    @Test
    void hashesAsFnv1aDoes() {
        assertThat(HashRange.hash("")).isEqualTo(0xcbf29ce484222325L);
        assertThat(HashRange.hash("a")).isEqualTo(0xaf63dc4c8601ec8cL);
        assertThat(HashRange.hash("foobar")).isEqualTo(0x85944171f73967e8L);
    }

    @Test
    void bothEndsBelongToTheRange() {
        long hash = HashRange.hash("a");
        assertThat(contains(hash, hash)).isTrue();
        assertThat(contains(hash + 1, -1)).isFalse();
        assertThat(contains(0, hash - 1)).isFalse();
        assertThat(contains(0, -1)).isTrue();
    }

    private static boolean contains(long first, long last) {
        return HashRange.anyContains(Set.of(new HashRange(first, last).toString()), "a");
    }

    @Test
    void aTextIsReadBack() {
        HashRange range = new HashRange(5, Long.MIN_VALUE);
        assertThat(range.toString()).isEqualTo("0000000000000005-8000000000000000");
        assertThat(HashRange.parse(range.toString())).isEqualTo(range);
    }

    @Test
    void refusesWhatIsNoRange() {
        for (String wrong :
                new String[] {
                    "",
                    "1-2",
                    "000000000000000g-8000000000000000",
                    "8000000000000001-8000000000000000",
                    "0000000000000005_8000000000000000"
                }) {
            assertThatThrownBy(() -> HashRange.parse(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() ->
                            new Requirement(
                                    Source.FIELD, "metadata.uid", Operator.HASH_IN, Set.of(wrong)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void bucketsCoverTheirRanges() {
        assertThat(HashRange.bucket(0)).isZero();
        assertThat(HashRange.bucket(-1)).isEqualTo(HashRange.BUCKETS - 1);
        Set<String> quarter = Set.of(new HashRange(1L << 62, (1L << 63) - 1).toString());
        assertThat(HashRange.buckets(quarter).cardinality()).isEqualTo(HashRange.BUCKETS / 4);
        Set<String> edge = Set.of(new HashRange((1L << 62) - 1, 1L << 62).toString());
        assertThat(HashRange.buckets(edge).cardinality()).isEqualTo(2);
    }
}

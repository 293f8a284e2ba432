package io.tidemark.query.compress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ContentSumTest {
    @Test
    void equalsTheSumOfTheWholeForAnySplit() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            byte[] whole = new byte[random.nextInt(1 << random.nextInt(18))];
            random.nextBytes(whole);
            int a = random.nextInt(whole.length + 1);
            int b = a + random.nextInt(whole.length - a + 1);
            ContentSum first = ContentSum.of(Arrays.copyOf(whole, a));
            ContentSum second = ContentSum.of(Arrays.copyOfRange(whole, a, b));
            ContentSum third = ContentSum.of(Arrays.copyOfRange(whole, b, whole.length));
            ContentSum expected = ContentSum.of(whole);
            assertThat(first.then(second).then(third)).isEqualTo(expected);
            assertThat(first.then(second.then(third))).isEqualTo(expected);
        }
    }

    @Test
    void hasAnEmptySum() {
        ContentSum some = ContentSum.of(new byte[] {1, 2, 3});
        assertThat(ContentSum.of(new byte[0])).isEqualTo(ContentSum.EMPTY);
        assertThat(ContentSum.EMPTY.then(some)).isEqualTo(some);
        assertThat(some.then(ContentSum.EMPTY)).isEqualTo(some);
    }

    @Test
    void followsTheLengthOfALongStream() {
        ContentSum megabyte = ContentSum.of(new byte[1 << 20]);
        ContentSum stream = ContentSum.EMPTY;
        for (int i = 0; i < 5_000; i++) {
            stream = stream.then(megabyte);
        }
        assertThat(stream.length()).isEqualTo(5_000L << 20);
    }
}

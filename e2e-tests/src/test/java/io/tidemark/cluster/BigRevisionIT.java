package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code etcdctl del --prefix} of more than the heaps of the processes that must deliver it. */
@LongTest
class BigRevisionIT {
    @TempDir private static Path folder;

    @Test
    void everyWatchGetsEveryDeletedOnceAndInOrder() throws Exception {
        BigRevision.Result result =
                new BigRevision(20_000, 10_240, 4, 3, 4, 4, 4, "160m")
                        .run(folder, System.out::println);
        System.out.println("peak heaps: " + result.peakHeap());
        assertThat(result.wrong()).isEmpty();
    }
}

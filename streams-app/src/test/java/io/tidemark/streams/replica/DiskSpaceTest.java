package io.tidemark.streams.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.streams.replica.DiskSpace.Space;
import io.tidemark.view.DiskState;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DiskSpaceTest {
    private static final long GIB = 1L << 30;

    private Space now = new Space(50 * GIB, 100 * GIB);
    private final DiskSpace disk = new DiskSpace(new StateFolders(Path.of("/state")), () -> now);

    @Test
    void warnsBelowTheReserve() {
        disk.look(0);
        assertThat(disk.state().isLow()).isFalse();

        now = new Space(GIB / 4, 100 * GIB);
        disk.look(1);

        DiskState low = disk.state();
        assertThat(low.isLow()).isTrue();
        assertThat(low.isFull()).isFalse();
        assertThat(low.text()).contains("/state: 268435456 of 107374182400 bytes free");
    }

    @Test
    void isFullWhileAReplicaWaitsForSpace() {
        now = new Space(0, 100 * GIB);
        disk.suspend(3, "cannot write: No space left on device");
        disk.suspend(1, "cannot flush: No space left on device");

        assertThat(disk.state().isFull()).isTrue();
        assertThat(disk.state().text())
                .contains("no space left on device; 2 replicas stalled")
                .contains("partitions [1, 3]");

        disk.resume(1);
        assertThat(disk.state().stalled()).containsExactly(3);
        disk.resume(3);
        assertThat(disk.state().isFull()).isFalse();
    }

    @Test
    void isFullWhileTheNodeCannotStart() {
        disk.suspend(DiskSpace.NODE, "not enough");

        assertThat(disk.state().isFull()).isTrue();
        assertThat(disk.state().stalled()).isEmpty();
    }

    @Test
    void resumesOnlyWithSomeSpaceToSpare() {
        now = new Space(1 << 20, 100 * GIB);
        assertThat(disk.hasSpaceToResume()).isFalse();
        now = new Space(64 << 20, 100 * GIB);
        assertThat(disk.hasSpaceToResume()).isTrue();
        now = new Space(1 << 20, 90 << 20); // A small disk.
        assertThat(disk.hasSpaceToResume()).isTrue();
        now = Space.UNKNOWN;
        assertThat(disk.hasSpaceToResume()).isTrue();
    }
}

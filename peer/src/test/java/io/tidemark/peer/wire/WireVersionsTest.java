package io.tidemark.peer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Which version two nodes use. */
class WireVersionsTest {
    private static int common(int newest, String announcement) throws WireException {
        return WireVersions.through(newest)
                .newestCommon(announcement)
                .map(WireVersion::number)
                .orElse(0);
    }

    @Test
    void speaksTheNewestVersionAndItsPredecessor() {
        assertThat(WireVersions.all().announcement()).isEqualTo("5 6");
        assertThat(WireVersions.NEWEST).isEqualTo(6);
        assertThat(WireVersions.through(5).announcement()).isEqualTo("5");
        assertThatThrownBy(() -> WireVersions.through(4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("peer version 4 is unknown: one of 5 6");
    }

    @Test
    void choosesTheNewestCommonVersion() throws WireException {
        assertThat(common(6, "5 6")).isEqualTo(6);
        assertThat(common(6, "6 7")).isEqualTo(6);
        assertThat(common(6, "5")).isEqualTo(5);
        assertThat(common(5, "5 6")).isEqualTo(5);
        assertThat(common(6, WireVersions.UNANNOUNCED)).isEqualTo(5);
        assertThat(common(6, "7 8")).isZero();
        assertThat(common(5, "6 7")).isZero();
    }

    /** Both sides come to the same result, whichever of them reads. */
    @Test
    void choiceIsSymmetric() throws WireException {
        for (int one = 5; one <= WireVersions.NEWEST; one++) {
            for (int other = 5; other <= WireVersions.NEWEST; other++) {
                assertThat(common(one, WireVersions.through(other).announcement()))
                        .isEqualTo(common(other, WireVersions.through(one).announcement()));
            }
        }
    }

    @Test
    void refusesWhatIsNoAnnouncement() {
        for (String wrong : new String[] {"", "x", "5,6", "-5", "5 6x", "1 ".repeat(200)}) {
            assertThatThrownBy(() -> common(6, wrong)).isInstanceOf(WireException.class);
        }
    }
}

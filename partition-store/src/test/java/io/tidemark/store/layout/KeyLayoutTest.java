package io.tidemark.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.view.BridgedGap;
import io.tidemark.view.object.Selection.Source;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyLayoutTest {
    private static String hex(Bytes bytes) {
        return HexFormat.of().formatHex(bytes.array());
    }

    @Test
    void encodesKeysAsDocumented() {
        Bytes key = Bytes.wrap(new byte[] {'a', 0, 'b', (byte) 0xff});

        assertThat(hex(KeyLayout.version(key, 258))).isEqualTo("6100ff62ff00010000000000000102");
        assertThat(hex(KeyLayout.versionsEnd(key))).isEqualTo("6100ff62ff0002");
        assertThat(hex(KeyLayout.versionsFrom(key))).isEqualTo("6100ff62ff");
        assertThat(hex(KeyLayout.history(258, 3))).isEqualTo("000000000000010200000003");
        assertThat(hex(KeyLayout.historyAfter(258))).isEqualTo("000000000000010300000000");
        assertThat(hex(KeyLayout.sample(1))).isEqualTo("740000000000000001");
        assertThat(hex(KeyLayout.index(Source.LABEL, "n", "v", key)))
                .isEqualTo("6c6e00760061" + "0062ff");
        assertThat(hex(KeyLayout.index(Source.FIELD, "n", "v", key)))
                .isEqualTo("666e00760061" + "0062ff");
        assertThat(hex(KeyLayout.indexesOf(Source.LABEL))).isEqualTo("6c");
        assertThat(hex(KeyLayout.indexesOf(Source.FIELD))).isEqualTo("66");
        assertThat(hex(KeyLayout.number(7))).isEqualTo("0000000000000007");
    }

    @Test
    void encodesValuesAsDocumented() {
        HistoryEntry entry = new HistoryEntry(true, 258, 77, Bytes.utf8("k"));
        assertThat(hex(entry.encode())).isEqualTo("0100000000000001020000004d6b");
        assertThat(HistoryEntry.decode(entry.encode().array())).isEqualTo(entry);

        FoldState state = new FoldState();
        state.phase = FoldState.Phase.COMPLETE;
        state.epoch = 1;
        state.clusterId = 2;
        state.floor = 3;
        state.watermark = 4;
        state.lastRevision = 5;
        state.listRevision = 6;
        state.listOffset = 7;
        state.appliedOffset = 8;
        state.markTimeMillis = 9;
        state.newestTimeMillis = 10;
        state.historyBytes = 11;
        state.unreadable = 12;
        state.tideMillis = 13;
        state.bridged = new BridgedGap(14, 15);
        state.connector = "c";
        assertThat(HexFormat.of().formatHex(state.encode()))
                .isEqualTo(
                        "02"
                                + "0000000000000001000000000000000200000000000000030000000000000004"
                                + "0000000000000005000000000000000600000000000000070000000000000008"
                                + "0000000000000009000000000000000a000000000000000b000000000000000c"
                                + "000000000000000d000000000000000e000000000000000f63");
        assertThat(FoldState.decode(state.encode()).encode()).isEqualTo(state.encode());
    }

    @Test
    void versionsSortByKeyThenRevision() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            Bytes a = randomKey(random);
            Bytes b = randomKey(random);
            long at = random.nextLong(Long.MAX_VALUE);
            long bt = random.nextLong(Long.MAX_VALUE);
            int expected = a.equals(b) ? Long.compare(at, bt) : a.compareTo(b);

            Bytes version = KeyLayout.version(a, at);
            assertThat(Integer.signum(version.compareTo(KeyLayout.version(b, bt))))
                    .as("%s at %d, %s at %d", a, at, b, bt)
                    .isEqualTo(Integer.signum(expected));
            assertThat(KeyLayout.keyOfVersion(version)).isEqualTo(a);
            assertThat(KeyLayout.untilOfVersion(version)).isEqualTo(at);
            assertThat(version).isLessThan(KeyLayout.versionsEnd(a));
            assertThat(version).isGreaterThanOrEqualTo(KeyLayout.versionsFrom(a));
            if (a.compareTo(b) < 0) {
                assertThat(KeyLayout.versionsEnd(a)).isLessThan(KeyLayout.version(b, 0));
            }
        }
    }

    private static Bytes randomKey(SplittableRandom random) {
        byte[] values = {0, 1, 2, 'a', (byte) 0xfe, (byte) 0xff};
        byte[] key = new byte[random.nextInt(5)];
        for (int i = 0; i < key.length; i++) {
            key[i] = values[random.nextInt(values.length)];
        }
        return Bytes.wrap(key);
    }
}

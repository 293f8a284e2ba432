package io.tidemark.record.secret;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import io.tidemark.record.secret.PutSealer.Result;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PutSealerTest {
    private static final String ZEROS = Base64.getEncoder().encodeToString(new byte[32]);
    private static final KeyRing RING = KeyRing.parse("k1 " + ZEROS);
    private static final PutSealer SEALER = new PutSealer(RING);

    /** Both a topic and a store that exist are read by the next release. */
    @Test
    void writesTheBytesThatItAlwaysWrote() {
        Change.Put sealed = SEALER.seal(put(2, "/registry/secrets/ns/s", 7, "{\"a\":1}", ""));
        assertThat(HexFormat.of().formatHex(sealed.value().array()))
                .isEqualTo(
                        "01026b31"
                            + "dcc240f6c2ff0b99d7b7d34f34c55483bb2888213e9be6f181c8c616e7dabd6081128c085871773a");
        assertThat(sealed.unreadable()).isEqualTo("encrypted: a Secret, key k1");
        assertThat(sealed.contentType()).isEqualTo(ContentType.RAW);
        assertThat(sealed.isEncrypted()).isTrue();
        assertThat(sealed.encryptedWith()).isEqualTo("k1");
    }

    @Test
    void opensWhatItSealed() {
        for (String reason : new String[] {"", "too odd: ü"}) {
            for (String value : new String[] {"", "x", "y".repeat(100_000)}) {
                Change.Put put = put(3, "/a", 9, value, reason);
                Change.Put sealed = SEALER.seal(put);
                assertThat(sealed.withValue(put.value(), put.contentType(), reason)).isEqualTo(put);
                assertThat(sealed.value().length())
                        .isLessThanOrEqualTo(put.value().length() + 20 + SealedBytes.MAX_OVERHEAD);
                assertThat(SEALER.open(sealed)).isEqualTo(new Result.Plain(put));
            }
        }
    }

    @Test
    void sealsTheSameInputToTheSameBytesAndOthersWithOtherNonces() {
        Change.Put put = put(3, "/a", 9, "value", "");
        Bytes once = SEALER.seal(put).value();
        assertThat(new PutSealer(KeyRing.parse("k1 " + ZEROS)).seal(put).value()).isEqualTo(once);
        for (Change.Put other :
                new Change.Put[] {
                    put(3, "/a", 9, "valuf", ""),
                    put(3, "/a", 10, "value", ""),
                    put(4, "/a", 9, "value", ""),
                    put(3, "/b", 9, "value", "")
                }) {
            assertThat(nonce(SEALER.seal(other).value())).isNotEqualTo(nonce(once));
        }
    }

    private static Bytes nonce(Bytes sealed) {
        return sealed.slice(4, 16);
    }

    @Test
    void opensNothingAfterAnyByteChanged() {
        Change.Put sealed = SEALER.seal(put(3, "/a", 9, "value", ""));
        byte[] bytes = sealed.value().array();
        for (int i = 0; i < bytes.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] changed = bytes.clone();
                changed[i] ^= (byte) (1 << bit);
                assertThat(SEALER.open(with(sealed, changed)))
                        .as("bit %d of byte %d", bit, i)
                        .isInstanceOf(Result.Locked.class);
            }
        }
        for (int length = 0; length < bytes.length; length++) {
            assertThat(SEALER.open(with(sealed, Arrays.copyOf(bytes, length))))
                    .isInstanceOf(Result.Locked.class);
        }
        assertThat(SEALER.open(with(sealed, Arrays.copyOf(bytes, bytes.length + 1))))
                .isEqualTo(new Result.Locked("encrypted with key k1, but it cannot be decrypted"));
    }

    @Test
    void opensNothingAtAnotherKeyRevisionOrEpoch() {
        byte[] bytes = SEALER.seal(put(3, "/a", 9, "value", "")).value().array();
        assertThat(SEALER.open(with(SEALER.seal(put(3, "/a", 9, "z", "")), bytes)))
                .isInstanceOf(Result.Plain.class);
        for (Change.Put other :
                new Change.Put[] {
                    put(3, "/b", 9, "", ""), put(3, "/a", 10, "", ""), put(4, "/a", 9, "", "")
                }) {
            assertThat(SEALER.open(with(SEALER.seal(other), bytes)))
                    .isInstanceOf(Result.Locked.class);
        }
    }

    @Test
    void namesTheKeyThatIsMissing() {
        Change.Put sealed = SEALER.seal(put(3, "/a", 9, "value", ""));
        assertThat(new PutSealer(KeyRing.parse("k2 " + ZEROS)).open(sealed))
                .isEqualTo(
                        new Result.Locked("encrypted with key k1, which this node does not have"));
        assertThat(new PutSealer(KeyRing.parse(KeyRing.randomText("k1"))).open(sealed))
                .isEqualTo(new Result.Locked("encrypted with key k1, but it cannot be decrypted"));
    }

    @Test
    void aRotatedRingOpensOldPutsUntilTheOldKeyIsRemoved() {
        String old = "k1 " + ZEROS + "\n";
        String next = KeyRing.randomText("k2");
        AtomicReference<KeyRing> ring = new AtomicReference<>(KeyRing.parse(old));
        PutSealer sealer = new PutSealer(ring::get);
        Change.Put put = put(3, "/a", 9, "value", "");
        Change.Put first = sealer.seal(put);
        ring.set(KeyRing.parse(old + next));
        assertThat(sealer.seal(put)).isEqualTo(first);
        ring.set(KeyRing.parse(next + old));
        Change.Put second = sealer.seal(put);
        assertThat(second.encryptedWith()).isEqualTo("k2");
        assertThat(sealer.open(first)).isEqualTo(new Result.Plain(put));
        assertThat(sealer.open(second)).isEqualTo(new Result.Plain(put));
        ring.set(KeyRing.parse(next));
        assertThat(sealer.open(first)).isInstanceOf(Result.Locked.class);
        assertThat(sealer.open(second)).isEqualTo(new Result.Plain(put));
    }

    private static Change.Put with(Change.Put put, byte[] value) {
        return put.withValue(Bytes.wrap(value), put.contentType(), put.unreadable());
    }

    private static Change.Put put(
            long epoch, String key, long revision, String value, String unreadable) {
        return new Change.Put(
                epoch,
                revision,
                0,
                Bytes.utf8(key),
                Bytes.utf8(value),
                unreadable.isEmpty() ? ContentType.KUBERNETES_JSON : ContentType.RAW,
                5,
                2,
                0,
                false,
                unreadable);
    }
}

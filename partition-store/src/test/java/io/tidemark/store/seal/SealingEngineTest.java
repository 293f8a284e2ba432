package io.tidemark.store.seal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import io.tidemark.record.secret.KeyRing;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealingEngineTest {
    private static final String MARKER = "hunter2hunter2hunter2";
    private static final List<Family> SEALED =
            List.of(Family.OBJECTS, Family.METADATA, Family.VERSIONS);
    private static final Bytes KEY = Bytes.utf8("/registry/secrets/ns/s");

    private final String first = KeyRing.randomText("k1");
    private final String second = KeyRing.randomText("k2");
    private final AtomicReference<KeyRing> ring = new AtomicReference<>(KeyRing.parse(first));
    private final InMemoryEngine disk = new InMemoryEngine();
    private final KeyValueEngine engine = new SealingEngine(disk, ring::get);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void readsLikeAPlainEngineAndHoldsNoSecretInClear(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        InMemoryEngine plain = new InMemoryEngine();
        for (int step = 0; step < 200; step++) {
            WriteBatch batch = new WriteBatch();
            if (random.nextInt(40) == 0) {
                batch.clearEverything();
            }
            for (int i = 0; i < 5; i++) {
                Family family = SEALED.get(random.nextInt(3));
                Bytes key = Bytes.utf8("/k" + random.nextInt(20));
                Bytes at = family == Family.VERSIONS ? KeyLayout.version(key, step + 1) : key;
                if (random.nextInt(5) == 0) {
                    batch.delete(family, at);
                } else {
                    StoredObject made = object(key, step + 1, random.nextBoolean());
                    batch.put(family, at, Bytes.wrap(made.stored()));
                }
            }
            batch.put(Family.INDEX, Bytes.utf8("i" + step), Bytes.utf8("v"));
            if (random.nextInt(30) == 0) {
                ring.set(KeyRing.parse(random.nextBoolean() ? first + second : second + first));
            }
            plain.write(batch);
            engine.write(batch);
            assertThat(entries(engine)).isEqualTo(entries(plain));
        }
        assertThat(entries(disk).toString()).doesNotContain(MARKER).contains("plainplain");
    }

    /** All entries of the families with objects, by each way to read. */
    private static List<String> entries(KeyValueEngine engine) {
        List<String> entries = new ArrayList<>();
        try (Snapshot snapshot = engine.snapshot()) {
            for (Family family : SEALED) {
                byte[] head = new byte[StoredObject.REVISION_END];
                byte[] large = new byte[10_000];
                try (Cursor cursor = snapshot.scan(family, Bytes.EMPTY, Bytes.EMPTY)) {
                    for (; cursor.isValid(); cursor.next()) {
                        String value = text(cursor.value());
                        int length = cursor.readValue(head);
                        int same = cursor.readValue(large);
                        entries.add(family + " " + cursor.key() + " " + value + " " + length);
                        entries.add(text(head) + text(Arrays.copyOf(large, same)));
                        assertThat(text(snapshot.get(family, cursor.key()))).isEqualTo(value);
                        assertThat(text(engine.get(family, cursor.key()))).isEqualTo(value);
                    }
                }
            }
        }
        return entries;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void neverReturnsAValueAfterAnyByteChanged() {
        write(object(KEY, 7, true));
        byte[] sealed = disk.get(Family.OBJECTS, KEY);
        for (int i = 1; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            StoredObject read = readAt(Family.OBJECTS, KEY, changed);
            assertThat(read.isLocked()).as("byte %d", i).isTrue();
            assertThat(read.isUnreadable()).isTrue();
            assertThat(read.valueLength()).isZero();
            assertThat(read.labels()).isEmpty();
        }
    }

    @Test
    void opensNothingAtAnotherKeyOrInAnotherFamily() {
        write(object(KEY, 7, true));
        byte[] sealed = disk.get(Family.OBJECTS, KEY);
        assertThat(readAt(Family.OBJECTS, KEY, sealed)).isEqualTo(object(KEY, 7, true));
        assertThat(readAt(Family.METADATA, KEY, sealed).isLocked()).isTrue();
        assertThat(readAt(Family.OBJECTS, Bytes.utf8("/other"), sealed).isLocked()).isTrue();
    }

    private StoredObject readAt(Family family, Bytes key, byte[] stored) {
        WriteBatch batch = new WriteBatch();
        batch.put(family, key, Bytes.wrap(stored));
        disk.write(batch);
        return new StoredObject(key, engine.get(family, key));
    }

    @Test
    void aRemovedKeyLeavesAPlaceholderUntilItIsBack() {
        StoredObject secret = object(KEY, 7, true);
        write(secret);
        ring.set(KeyRing.parse(second + first));
        assertThat(new StoredObject(KEY, engine.get(Family.OBJECTS, KEY))).isEqualTo(secret);
        ring.set(KeyRing.parse(second));
        StoredObject placeholder = new StoredObject(KEY, engine.get(Family.OBJECTS, KEY));
        assertThat(placeholder.reason())
                .isEqualTo("encrypted with key k1, which this node does not have");
        assertThat(placeholder.revision()).isEqualTo(7);
        assertThat(placeholder.version()).isEqualTo(secret.version());
        assertThat(placeholder.isSecret()).isTrue();
        ring.set(KeyRing.parse(first));
        assertThat(new StoredObject(KEY, engine.get(Family.OBJECTS, KEY))).isEqualTo(secret);
    }

    @Test
    void recordsTheKeysThatItUses() {
        write(object(KEY, 7, true));
        ring.set(KeyRing.parse(second + first));
        write(object(KEY, 8, true));
        assertThat(text(disk.get(Family.META, KeyLayout.SEALING_KEYS))).isEqualTo("k1 k2");
    }

    private void write(StoredObject object) {
        WriteBatch batch = new WriteBatch();
        batch.put(Family.OBJECTS, KEY, Bytes.wrap(object.stored()));
        engine.write(batch);
    }

    private static StoredObject object(Bytes key, long revision, boolean secret) {
        StoredObject made =
                StoredObject.encode(
                        key,
                        Bytes.utf8(secret ? MARKER : "plainplain"),
                        ContentType.RAW,
                        revision,
                        2 > revision ? revision : 2,
                        3,
                        0,
                        "",
                        Map.of("app", "x"),
                        Map.of(),
                        0);
        return secret ? made.asSecret() : made;
    }
}

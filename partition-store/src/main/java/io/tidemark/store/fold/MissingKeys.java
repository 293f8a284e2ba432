package io.tidemark.store.fold;

import io.tidemark.record.Bytes;
import io.tidemark.record.secret.KeyRing;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.KeyLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which keys encrypted Secrets of the topic needed that the node did not have. Their values are not
 * in the store; so it is rebuilt when it is opened with one of these keys.
 */
final class MissingKeys {
    private static final Logger LOG = LoggerFactory.getLogger(MissingKeys.class);

    /** More ids than a ring has keys are not the work of rotations. */
    private static final int MAX_IDS = 16;

    private static final int MAX_ID_LENGTH = 64;

    private MissingKeys() {}

    /** Adds a key to the store's record; an id that no key can have counts for nothing. */
    static void note(WriteBatch batch, KeyValueEngine engine, String id) {
        byte @Nullable [] stored = batch.get(engine, Family.META, KeyLayout.MISSING_KEYS);
        List<String> ids = new ArrayList<>(ids(stored));
        boolean odd = id.isEmpty() || id.length() > MAX_ID_LENGTH || id.contains(" ");
        if (odd || ids.contains(id) || ids.size() >= MAX_IDS) {
            return;
        }
        ids.add(id);
        batch.put(Family.META, KeyLayout.MISSING_KEYS, Bytes.utf8(String.join(" ", ids)));
        LOG.warn(
                "the topic has Secrets that key {} encrypts, and they cannot be decrypted here:"
                        + " they are unreadable until the node is started with that key in"
                        + " --secrets-key-file",
                Bytes.utf8(id));
    }

    /** A key that was missing and is present now; empty for none. */
    static String gained(KeyValueEngine engine, Optional<Supplier<KeyRing>> keys) {
        List<String> missing = ids(engine.get(Family.META, KeyLayout.MISSING_KEYS));
        return missing.isEmpty() || keys.isEmpty()
                ? ""
                : missing.stream().filter(keys.get().get()::has).findFirst().orElse("");
    }

    /** A key that the store needs and that is not present any more; empty for none. */
    static String lost(KeyValueEngine engine, Optional<Supplier<KeyRing>> keys) {
        return ids(engine.get(Family.META, KeyLayout.SEALING_KEYS)).stream()
                .filter(id -> keys.isEmpty() || !keys.get().get().has(id))
                .findFirst()
                .orElse("");
    }

    private static List<String> ids(byte @Nullable [] stored) {
        return stored == null || stored.length == 0
                ? List.of()
                : List.of(Bytes.wrap(stored).utf8().split(" "));
    }
}

package io.tidemark.record.secret;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The keys that encrypt Secrets: the first one encrypts, all decrypt. Immutable, and equal when its
 * keys are. Shows the keys' ids only.
 */
public final class KeyRing implements Supplier<KeyRing> {
    /** Keys of a ring; more are a mistake, since a rotation needs two. */
    static final int MAX_KEYS = 16;

    private final List<SealingKey> keys;

    private KeyRing(List<SealingKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * Reads the text of a key file: one key a line, {@code ID BASE64}, where the latter is 32
     * bytes; empty lines and lines that start with {@code #} do not count.
     *
     * @throws IllegalArgumentException when it has no key, above 16, a bad line or an id twice; the
     *     message names the line and quotes none of it
     */
    public static KeyRing parse(String text) {
        List<SealingKey> keys = new ArrayList<>();
        int number = 0;
        for (String raw : text.split("\n", -1)) {
            number++;
            String line = raw.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            SealingKey key = key(line, number);
            if (keys.stream().anyMatch(other -> other.id().equals(key.id()))) {
                throw bad(number, "the id is that of an earlier line");
            }
            keys.add(key);
            if (keys.size() > MAX_KEYS) {
                throw bad(number, "a key file has at most " + MAX_KEYS + " keys");
            }
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("the key file has no key");
        }
        return new KeyRing(keys);
    }

    /** Messages do not quote what was read: a line without an id is all key. */
    private static SealingKey key(String line, int number) {
        String[] parts = line.split("\\s+", -1);
        if (parts.length != 2 || !SealingKey.isId(parts[0])) {
            throw bad(
                    number,
                    "a key is ID BASE64, the id is 1 to 64 letters, digits, dots, underscores or"
                            + " hyphens");
        }
        byte[] key;
        try {
            key = Base64.getDecoder().decode(parts[1]);
        } catch (IllegalArgumentException unused) {
            throw bad(number, "the key is no Base64");
        }
        if (key.length != SealingKey.LENGTH) {
            throw bad(number, "the key has " + key.length + " bytes, not " + SealingKey.LENGTH);
        }
        return new SealingKey(parts[0], key);
    }

    private static IllegalArgumentException bad(int line, String what) {
        return new IllegalArgumentException("line " + line + " of the key file: " + what);
    }

    /** The text of a key file with one random key. */
    public static String randomText(String id) {
        byte[] key = new byte[SealingKey.LENGTH];
        new SecureRandom().nextBytes(key);
        return id + " " + Base64.getEncoder().encodeToString(key) + "\n";
    }

    /** The ids of the keys, in order. */
    public List<String> ids() {
        return keys.stream().map(SealingKey::id).toList();
    }

    /** Whether it has a key of this id. */
    public boolean has(String id) {
        return find(id).isPresent();
    }

    /** The key that encrypts. */
    SealingKey first() {
        return keys.getFirst();
    }

    Optional<SealingKey> find(String id) {
        return keys.stream().filter(key -> key.id().equals(id)).findFirst();
    }

    /** Itself: a ring that does not change. */
    @Override
    public KeyRing get() {
        return this;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyRing that && keys.equals(that.keys);
    }

    @Override
    public int hashCode() {
        return keys.hashCode();
    }

    @Override
    public String toString() {
        return "keys " + String.join(", ", ids());
    }
}

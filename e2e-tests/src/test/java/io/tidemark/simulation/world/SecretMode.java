package io.tidemark.simulation.world;

import io.tidemark.record.secret.KeyRing;
import io.tidemark.record.secret.PutSealer;
import java.util.Optional;
import java.util.function.Supplier;

/** What connectors and nodes do with Secrets, the same in a whole world. */
public enum SecretMode {
    /** Connectors leave them out. */
    LEFT_OUT,

    /** Connectors mirror them, encrypted; nodes have the keys and show none. */
    HIDDEN,

    /** Connectors mirror them, encrypted; nodes show them to those who may read them. */
    SHOWN;

    /** The first key encrypts; a rotation leaves the second. */
    private static final KeyRing KEYS =
            KeyRing.parse(
                    """
                    newer MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=
                    older ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=
                    """);

    /** Whether the topic holds them. */
    public boolean areMirrored() {
        return this != LEFT_OUT;
    }

    /** The keys of connectors and nodes; empty where they have none. */
    public Optional<Supplier<KeyRing>> keys() {
        return areMirrored() ? Optional.of(KEYS) : Optional.empty();
    }

    /** Encrypts and decrypts with these keys. */
    public Optional<PutSealer> sealer() {
        return keys().map(PutSealer::new);
    }
}

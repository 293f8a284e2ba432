package io.tidemark.connector.sink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchCompressionTest {
    /** As Snappy's class, which loads its library when it is initialized. */
    static final class Unloadable {
        static {
            load();
        }

        private Unloadable() {}

        private static void load() {
            throw new AssertionError("FAILED_TO_LOAD_NATIVE_LIBRARY");
        }
    }

    @Test
    void snappyIsUsedWhereItsLibraryCanBeLoaded() {
        assertThat(BatchCompression.codec(BatchCompression.SNAPPY)).isEqualTo("snappy");
    }

    @Test
    void lz4IsUsedElsewhere() {
        assertThat(BatchCompression.codec(Unloadable.class.getName())).isEqualTo("lz4");
        // The second time the class is known to have failed, which is another error.
        assertThat(BatchCompression.codec(Unloadable.class.getName())).isEqualTo("lz4");
        assertThat(BatchCompression.codec("io.tidemark.NoSuchClass")).isEqualTo("lz4");
    }
}

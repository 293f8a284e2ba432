package io.tidemark.query.compress;

import com.github.luben.zstd.util.Native;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The native library of zstd, which is loaded when the first client accepts zstd. */
final class ZstdLibrary {
    /** The fastest level with a window of its usual size. */
    static final int LEVEL = 1;

    private static final Logger LOG = LoggerFactory.getLogger(ZstdLibrary.class);

    private ZstdLibrary() {}

    /** Whether it can be used: it cannot where no file can be unpacked and executed. */
    static boolean isAvailable() {
        return Loaded.AVAILABLE;
    }

    private static final class Loaded {
        static final boolean AVAILABLE = load();

        private static boolean load() {
            try {
                Native.load();
                return true;
            } catch (LinkageError e) {
                LOG.warn(
                        "zstd is not offered to clients, which get gzip: its native library cannot"
                                + " be loaded",
                        e);
                return false;
            }
        }
    }
}

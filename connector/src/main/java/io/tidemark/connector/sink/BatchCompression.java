package io.tidemark.connector.sink;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The codec of the topic's batches. A batch is mostly one mark, for which Kafka's LZ4 allocates 132
 * KB and Snappy next to nothing. Snappy has a native library, which it unpacks into a folder for
 * temporary files; where that cannot be loaded, LZ4 does without.
 */
final class BatchCompression {
    static final String SNAPPY = "org.xerial.snappy.Snappy";

    private static final Logger LOG = LoggerFactory.getLogger(BatchCompression.class);

    private BatchCompression() {}

    /**
     * A value of {@code compression.type}.
     *
     * @param library the class that loads the native library
     */
    static String codec(String library) {
        try {
            Class.forName(library);
            return "snappy";
        } catch (VirtualMachineError e) {
            throw e;
        } catch (ClassNotFoundException | RuntimeException | Error e) {
            // A failure to load is an Error of Snappy, and a LinkageError from the second time on.
            LOG.warn(
                    "compressing the topic with LZ4, which costs more CPU: Snappy's library cannot"
                            + " be loaded ({}); give -Dorg.xerial.snappy.tempdir=FOLDER in"
                            + " JAVA_TOOL_OPTIONS, a writable folder that is not mounted noexec",
                    e.toString());
            return "lz4";
        }
    }
}

package io.tidemark.connector.upstream;

/**
 * Names an unbroken history of revisions, as a Tidemark's header {@code X-Tidemark-History} does.
 *
 * @param clusterId of the etcd at the root, unsigned
 * @param epoch of the Tidemark; from 1
 */
record HistoryName(long clusterId, long epoch) {
    /** An odd constant, so that no two epochs of a cluster get the same id. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /**
     * @throws IllegalArgumentException when the text is not such a name
     */
    static HistoryName parse(String text) {
        int dash = text.lastIndexOf('-');
        try {
            long epoch = Long.parseLong(text.substring(dash + 1));
            if (dash > 0 && epoch > 0) {
                return new HistoryName(Long.parseUnsignedLong(text.substring(0, dash), 16), epoch);
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new IllegalArgumentException("'%s' names no history".formatted(text));
    }

    /**
     * Takes the place of etcd's cluster id: another epoch is another history, even if its revisions
     * look the same. The first epoch has the id of etcd.
     */
    long id() {
        return clusterId + (epoch - 1) * SPREAD;
    }
}

package io.tidemark.streams.replica;

import io.tidemark.store.PartitionStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stores that are open before Streams opens them. When Streams starts, it opens each store of
 * its directory, one after another, to ask for its offset, and closes it (KIP-1035); moments later
 * it opens those that it is assigned. So a node opens them all at once before that, and those that
 * Streams closes while it starts stay open. Thread-safe.
 */
public final class StartupStores {
    private static final Logger LOG = LoggerFactory.getLogger(StartupStores.class);

    /** By partition; guarded by this, as is {@link #starts}. */
    private final Map<Integer, StartupStore> open = new TreeMap<>();

    private boolean starts;

    private record StartupStore(StoreFolder folder, PartitionStore store) {
        void close() {
            try {
                folder.close(store);
            } catch (RuntimeException e) {
                LOG.warn("closing a store failed; it reopens as of its last flush", e);
            }
        }
    }

    /**
     * Opens the stores that have a folder, in parallel, and begins to keep those that are closed.
     * Corrupt data is set aside, as at any other opening; a store that cannot be opened is left to
     * Streams, which meets the same error and reports it.
     *
     * @param partitions of the topic
     */
    public void openAll(StoreContext context, StateFolders folders, int partitions) {
        synchronized (this) {
            starts = true;
        }
        int threads = Math.min(partitions, Runtime.getRuntime().availableProcessors());
        try (ExecutorService opening =
                Executors.newFixedThreadPool(
                        threads, Thread.ofPlatform().name("open-store-", 0).factory())) {
            for (int partition = 0; partition < partitions; partition++) {
                Path folder = folders.store(partition);
                if (Files.isDirectory(folder)) {
                    StoreFolder each = new StoreFolder(context, partition, folder);
                    opening.execute(() -> open(each));
                }
            }
        }
    }

    private void open(StoreFolder folder) {
        try {
            keep(folder, folder.open());
        } catch (RuntimeException e) {
            LOG.debug("partition {}: left to Kafka Streams", folder.partition(), e);
        }
    }

    /** Streams has started: from now on, a store that it closes is closed. */
    public synchronized void started() {
        starts = false;
    }

    /**
     * Keeps a store that Streams has closed.
     *
     * @return false when Streams does not start, and the caller has to close it
     */
    synchronized boolean keep(StoreFolder folder, PartitionStore store) {
        if (starts) {
            open.put(folder.partition(), new StartupStore(folder, store));
        }
        return starts;
    }

    /** The open store of a partition, which is the caller's from now on. */
    synchronized Optional<PartitionStore> take(int partition) {
        return Optional.ofNullable(open.remove(partition)).map(StartupStore::store);
    }

    /** Closes the stores that Streams was not assigned. A {@link #take} waits for that. */
    public synchronized void closeRest(StoreCloser closer) {
        starts = false;
        open.values().forEach(each -> closer.close(each::close));
        open.clear();
    }
}

package io.tidemark.serving.watch;

import io.tidemark.record.Bytes;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.KeyScope.Kind;
import io.tidemark.serving.watch.event.EncodedEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the watches that an event may match, by its key, its directory, the directory above, and
 * its old and new values of indexed fields. Watches of any other prefix are few; each distinct
 * prefix is compared. It finds them in the order in which they began. Not thread-safe.
 */
final class WatcherIndex {
    private final Map<KeyScope, WatcherBucket> buckets = new LinkedHashMap<>();
    private final Map<KeyScope, WatcherBucket> prefixes = new LinkedHashMap<>();

    void add(WatchMailbox watcher) {
        KeyScope scope = watcher.filter().scope();
        mapFor(scope).computeIfAbsent(scope, _ -> new WatcherBucket()).add(watcher);
    }

    void remove(WatchMailbox watcher) {
        KeyScope scope = watcher.filter().scope();
        WatcherBucket bucket = mapFor(scope).get(scope);
        if (bucket != null && bucket.remove(watcher)) {
            mapFor(scope).remove(scope);
        }
    }

    List<WatchMailbox> all() {
        List<WatchMailbox> all = new ArrayList<>();
        buckets.values().forEach(bucket -> bucket.collect(all));
        prefixes.values().forEach(bucket -> bucket.collect(all));
        return all;
    }

    /** Empties the index; returns the mailboxes for ending them. */
    List<WatchMailbox> removeAll() {
        List<WatchMailbox> all = all();
        buckets.clear();
        prefixes.clear();
        return all;
    }

    /**
     * Adds an event to every group that it may match.
     *
     * @param touched receives the groups that had no pending event before
     */
    void addPending(EncodedEvent event, List<WatcherGroup> touched) {
        Bytes key = event.change().key();
        addPendingIn(buckets.get(KeyScope.exact(key)), event, touched);
        Bytes directory = PartitionAssigner.directoryOf(key);
        if (directory.length() > 0) {
            addPendingIn(buckets.get(KeyScope.directory(directory)), event, touched);
            Bytes above = PartitionAssigner.directoryOf(directory.slice(0, directory.length() - 1));
            addPendingIn(buckets.get(KeyScope.collection(above)), event, touched);
        }
        for (Map.Entry<KeyScope, WatcherBucket> prefix : prefixes.entrySet()) {
            if (prefix.getKey().contains(key)) {
                addPendingIn(prefix.getValue(), event, touched);
            }
        }
    }

    private static void addPendingIn(
            @Nullable WatcherBucket bucket, EncodedEvent event, List<WatcherGroup> touched) {
        if (bucket != null) {
            bucket.addPending(event, touched);
        }
    }

    private Map<KeyScope, WatcherBucket> mapFor(KeyScope scope) {
        return scope.kind() == Kind.PREFIX ? prefixes : buckets;
    }
}

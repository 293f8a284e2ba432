package io.tidemark.serving.watch;

import io.tidemark.record.Bytes;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.KeyScope.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the watchers that an event may concern, by its key, its directory, the directory above, and
 * the values it has and had in fields that are watched for. Watchers of a prefix that is no such
 * directory are few; each distinct prefix is compared. Not for several threads at once.
 */
final class WatcherIndex {
    private final Map<KeyScope, WatcherBucket> buckets = new HashMap<>();
    private final Map<KeyScope, WatcherBucket> prefixes = new HashMap<>();

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

    /** Everyone. */
    List<WatchMailbox> all() {
        List<WatchMailbox> all = new ArrayList<>();
        buckets.values().forEach(bucket -> bucket.collect(all));
        prefixes.values().forEach(bucket -> bucket.collect(all));
        return all;
    }

    /** Everyone, for telling them that it is over. */
    List<WatchMailbox> removeAll() {
        List<WatchMailbox> all = all();
        buckets.clear();
        prefixes.clear();
        return all;
    }

    /**
     * Notes an event with every group it means something to.
     *
     * @param touched gets the groups that had nothing noted before
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

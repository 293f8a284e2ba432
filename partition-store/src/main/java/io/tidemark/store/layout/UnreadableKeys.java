package io.tidemark.store.layout;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.UnreadablePage;
import io.tidemark.view.request.UnreadablePage.Unreadable;
import io.tidemark.view.request.UnreadableRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The index of keys whose newest version is unreadable, with the reasons, so that listing them does
 * not read the versions themselves, which may be large. Updated with every change of a key.
 */
public final class UnreadableKeys {
    /** Reasons are for humans, and the index repeats them per key. */
    private static final int MAX_REASON_LENGTH = 256;

    private static final String UNREADABLE_SECRET = "a Secret that cannot be decoded";

    private UnreadableKeys() {}

    /** Updates the index and the count when a key's version is replaced. */
    public static void replace(
            WriteBatch batch,
            FoldState state,
            Bytes key,
            @Nullable StoredObject previous,
            @Nullable StoredObject next) {
        boolean before = previous != null && isCounted(previous);
        if (next != null && next.isUnreadable()) {
            batch.put(Family.INDEX, KeyLayout.unreadable(key), Bytes.utf8(indexed(next)));
            state.unreadable += before ? 0 : 1;
        } else if (before) {
            batch.delete(Family.INDEX, KeyLayout.unreadable(key));
            state.unreadable--;
        }
    }

    /** A placeholder stands for an object that was counted only if that is unreadable itself. */
    private static boolean isCounted(StoredObject object) {
        return object.isLocked() ? object.isLockedUnreadable() : object.isUnreadable();
    }

    /** A decoder's message may quote a Secret, and the index is not encrypted. */
    private static String indexed(StoredObject object) {
        return object.isSecret() ? UNREADABLE_SECRET : cut(object.reason());
    }

    /** The first keys with the prefix, with their reasons; at most as many as requested. */
    public static UnreadablePage page(Snapshot snapshot, UnreadableRequest request) {
        List<Unreadable> keys = new ArrayList<>();
        Bytes from = KeyLayout.unreadable(request.prefix());
        try (Cursor cursor = snapshot.scan(Family.INDEX, from, from.prefixEnd())) {
            for (; cursor.isValid(); cursor.next()) {
                if (keys.size() == request.max()) {
                    return new UnreadablePage(keys, true);
                }
                Bytes key = KeyLayout.keyOfUnreadable(cursor.key());
                keys.add(new Unreadable(key, new String(cursor.value(), StandardCharsets.UTF_8)));
            }
        }
        return new UnreadablePage(keys, false);
    }

    private static String cut(String reason) {
        return reason.length() <= MAX_REASON_LENGTH
                ? reason
                : reason.substring(0, MAX_REASON_LENGTH);
    }
}

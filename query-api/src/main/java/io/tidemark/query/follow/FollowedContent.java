package io.tidemark.query.follow;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;

/**
 * Receives the objects that a {@link DirectoryFollower} reads. Between two published states it is
 * incomplete: changes of different partitions arrive in no common order.
 */
public interface FollowedContent {
    /** Adds or replaces an object; it may be one that is not a valid Kubernetes object. */
    void put(StoredObject object);

    /** Removes the object of a key, if there is one. */
    void delete(Bytes key);

    /** Removes all objects. */
    void clear();
}

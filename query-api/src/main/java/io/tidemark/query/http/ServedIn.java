package io.tidemark.query.http;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.catalog.ServedVersion.Unservable;
import io.tidemark.view.object.StoredObject;
import java.util.function.Predicate;

/** Matches objects that can be served in the version of a resource. */
record ServedIn(Resource resource) implements Predicate<StoredObject> {
    @Override
    public boolean test(StoredObject object) {
        return !(ServedVersion.of(resource, object) instanceof Unservable);
    }
}

package io.tidemark.query.watch;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.catalog.ServedVersion.Unservable;
import io.tidemark.query.read.KeyScope;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.Selection;
import io.tidemark.view.StoredObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which objects a watcher wants. Watchers with equal interests share all work but the writing.
 *
 * @param resource whose version objects must be servable in; empty for plain keys and values
 */
public record Interest(KeyScope scope, Selection selection, Optional<Resource> resource) {
    /** What a change of a key of the scope means; empty for nothing. */
    Optional<Transition> transition(ObjectChange change) {
        return Transition.of(matches(change.previous()), matches(change.current()));
    }

    /** Whether there is a document of the wanted version for an object that is selected. */
    public boolean serves(StoredObject object) {
        return resource.isEmpty()
                || !(ServedVersion.of(resource.get(), object) instanceof Unservable);
    }

    private boolean matches(@Nullable StoredObject object) {
        return object != null && selection.matches(object) && serves(object);
    }
}

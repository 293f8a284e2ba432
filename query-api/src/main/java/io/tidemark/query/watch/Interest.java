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
    /** With more terms, a watch looks at each event by itself. */
    private static final int CHEAP_TERMS = 4;

    /**
     * Notes a change of a key of the scope, if it may mean something; whether it does is found out
     * now only when a look at few attributes tells.
     */
    Optional<Posted> post(EncodedEvent event) {
        Optional<Boolean> before = cheaplyMatches(event.change().previous());
        Optional<Boolean> now = cheaplyMatches(event.change().current());
        if (before.isEmpty() || now.isEmpty()) {
            return Optional.of(new Posted(event, this));
        }
        return Transition.of(before.get(), now.get())
                .map(transition -> new Posted(event, this, transition));
    }

    private Optional<Boolean> cheaplyMatches(@Nullable StoredObject object) {
        if (object == null) {
            return Optional.of(false);
        }
        return selection.requirements().size() > CHEAP_TERMS
                ? Optional.empty()
                : selection.matchesByAttributes(object).map(matches -> matches && serves(object));
    }

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

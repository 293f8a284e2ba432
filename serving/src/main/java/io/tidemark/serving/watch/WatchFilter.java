package io.tidemark.serving.watch;

import io.tidemark.serving.read.KeyScope;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.Selection;
import io.tidemark.view.StoredObject;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which objects a watcher wants. Watchers with equal interests share all work but the writing.
 *
 * @param servable whether an object can be written in the version that the watch asks for; a value
 *     with equality, so that equal filters are found
 */
public record WatchFilter(KeyScope scope, Selection selection, Predicate<StoredObject> servable) {
    /** For keys and values, which have no versions. */
    public static final Predicate<StoredObject> WITHOUT_VERSIONS = object -> true;

    /** With more terms, a watch looks at each event by itself. */
    private static final int CHEAP_TERMS = 4;

    /**
     * Notes a change of a key of the scope, if it may mean something; whether it does is found out
     * now only when a look at few attributes tells.
     */
    Optional<QueuedEvent> queue(EncodedEvent event) {
        Optional<Boolean> before = cheaplyMatches(event.change().previous());
        Optional<Boolean> now = cheaplyMatches(event.change().current());
        if (before.isEmpty() || now.isEmpty()) {
            return Optional.of(new QueuedEvent(event, this));
        }
        return Transition.of(before.get(), now.get())
                .map(transition -> new QueuedEvent(event, this, transition));
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
        return servable.test(object);
    }

    private boolean matches(@Nullable StoredObject object) {
        return object != null && selection.matches(object) && serves(object);
    }
}

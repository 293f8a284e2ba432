package io.tidemark.serving.watch;

import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.watch.event.EncodedEvent;
import io.tidemark.serving.watch.event.Transition;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ObjectChange;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The scope and selectors of a watch. Watches with equal filters share all work but the writing.
 *
 * @param servable whether an object can be served in the version that the watch asks for; must
 *     implement equals, so that equal filters are found
 */
public record WatchFilter(KeyScope scope, Selection selection, Predicate<StoredObject> servable) {
    /** For watches of keys and values, which have no versions. */
    public static final Predicate<StoredObject> WITHOUT_VERSIONS = object -> true;

    /** With more terms, each watch evaluates its filter on its own thread. */
    private static final int CHEAP_TERMS = 4;

    /**
     * Queues a change of a key of the scope if it may match; evaluates the selectors now only if a
     * few attributes decide.
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

    /** Evaluates the filter for a change of a key of the scope; empty when it does not match. */
    Optional<Transition> transition(ObjectChange change) {
        return Transition.of(matches(change.previous()), matches(change.current()));
    }

    /** Whether a selected object can be served in the requested version. */
    public boolean serves(StoredObject object) {
        return servable.test(object);
    }

    private boolean matches(@Nullable StoredObject object) {
        return object != null && selection.matches(object) && serves(object);
    }
}

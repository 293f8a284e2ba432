package io.tidemark.simulation.probe;

import io.tidemark.simulation.model.EventType;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.model.Received;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ObjectChange;

/** Converts what views return into the oracle's types. */
public final class ViewResults {
    private ViewResults() {}

    public static Item item(StoredObject object) {
        return new Item(object.key(), object.revision(), text(object));
    }

    /** As a watcher of every key and value receives it. */
    public static Received.Event event(ObjectChange change, long epoch) {
        StoredObject shown = change.current() == null ? change.previous() : change.current();
        EventType type =
                change.current() == null
                        ? EventType.DELETED
                        : change.previous() == null ? EventType.ADDED : EventType.MODIFIED;
        return new Received.Event(
                epoch,
                type,
                change.revision(),
                change.key(),
                shown == null ? "(nothing)" : text(shown));
    }

    /**
     * The value in normal form; for an object whose resourceVersion is not its revision, with a
     * note of that.
     */
    public static String text(StoredObject object) {
        byte[] stored = object.stored();
        String text = Payload.normalForm(stored, object.valueOffset(), object.valueLength());
        boolean versioned =
                !object.isKubernetes()
                        || Payload.resourceVersion(
                                        stored, object.valueOffset(), object.valueLength())
                                == object.revision();
        return versioned ? text : "resourceVersion is not " + object.revision() + ": " + text;
    }
}

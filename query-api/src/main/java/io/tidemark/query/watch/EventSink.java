package io.tidemark.query.watch;

import io.tidemark.query.group.ObjectGroup;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.serving.watch.event.EventType;
import io.tidemark.view.object.ChecksumForm;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;

/**
 * Sends a watch's events to its client. It buffers little: writes block on a slow client. For one
 * thread.
 */
public interface EventSink {
    /**
     * Sends an event's line, including its line feed; does not modify it.
     *
     * @throws IOException when the client has disconnected
     */
    void send(byte[] line) throws IOException, InterruptedException;

    /**
     * Sends the event of an object with which the watch begins.
     *
     * @throws IOException when the client has disconnected
     */
    default void sendInitial(StoredObject object, EventEncoder form)
            throws IOException, InterruptedException {
        send(form.line(EventType.ADDED, object, object.revision()));
    }

    /**
     * Whether {@link #copy} is likely to send objects with which the watch begins.
     *
     * @param objects names the same objects as of another time
     */
    default boolean copiesGroups(EventEncoder form, Object objects) {
        return false;
    }

    /**
     * After the objects with which the watch begins.
     *
     * @param objects as above
     * @param bytes of the objects as they are stored
     */
    default void sentInitial(Object objects, long bytes) {}

    /**
     * Sends the events of objects with which the watch begins, if they were compressed for another
     * one.
     *
     * @param group all that are compressed together, in {@link ChecksumForm}
     * @return false, and nothing is sent, if {@link #sendInitial} has to send them
     * @throws IOException when the client has disconnected
     */
    default boolean copy(ObjectGroup group, EventEncoder form)
            throws IOException, InterruptedException {
        return false;
    }

    /** Returns when all lines have been written to the connection. */
    void flush() throws IOException, InterruptedException;
}

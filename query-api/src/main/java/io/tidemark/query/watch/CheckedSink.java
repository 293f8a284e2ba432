package io.tidemark.query.watch;

import io.tidemark.query.group.ObjectGroup;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;

/**
 * Sends lines while the watch has its right: a watch whose initial events take long ends among them
 * when the right ends.
 */
public record CheckedSink(EventSink sink, WatchPermit permit) implements EventSink {
    /**
     * @throws io.tidemark.serving.status.StatusException why the right has ended
     */
    @Override
    public void send(byte[] line) throws IOException, InterruptedException {
        permit.require();
        sink.send(line);
    }

    /**
     * @throws io.tidemark.serving.status.StatusException why the right has ended
     */
    @Override
    public void sendInitial(StoredObject object, EventEncoder form)
            throws IOException, InterruptedException {
        permit.require();
        sink.sendInitial(object, form);
    }

    @Override
    public boolean copiesGroups(EventEncoder form, Object objects) {
        return sink.copiesGroups(form, objects);
    }

    @Override
    public void sentInitial(Object objects, long bytes) {
        sink.sentInitial(objects, bytes);
    }

    /**
     * @throws io.tidemark.serving.status.StatusException why the right has ended
     */
    @Override
    public boolean copy(ObjectGroup group, EventEncoder form)
            throws IOException, InterruptedException {
        permit.require();
        return sink.copy(group, form);
    }

    @Override
    public void flush() throws IOException, InterruptedException {
        sink.flush();
    }
}

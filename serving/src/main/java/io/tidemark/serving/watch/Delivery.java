package io.tidemark.serving.watch;

/** An event and what it means to a watcher. */
public record Delivery(EncodedEvent event, Transition transition) {
    /** The line to send. Shared between watchers: for reading only. */
    public byte[] line(EventEncoder form) {
        return event.line(form, transition);
    }

    public long revision() {
        return event.revision();
    }
}

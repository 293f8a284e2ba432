package io.tidemark.serving.watch;

/** An event as one watch sees it: it enters, changes within or leaves the watch's filter. */
public record Delivery(EncodedEvent event, Transition transition) {
    /** The line to send. Shared between watchers: for reading only. */
    public byte[] line(EventEncoder form) {
        return event.line(form, transition);
    }

    public long revision() {
        return event.revision();
    }
}

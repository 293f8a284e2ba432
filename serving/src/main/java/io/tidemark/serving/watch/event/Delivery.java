package io.tidemark.serving.watch.event;

/** An event as one watch sees it: it enters, changes within or leaves the watch's filter. */
public record Delivery(EncodedEvent event, Transition transition) {
    /** The line to send. Shared between watchers: for reading only. */
    public byte[] line(EventEncoder form) {
        return line(form, LineCoding.PLAIN).bytes();
    }

    /** The line in a coding. Shared between watchers: for reading only. */
    public <L extends CodedLine> L line(EventEncoder form, LineCoding<L> coding) {
        return event.line(form, transition, coding);
    }

    public long revision() {
        return event.revision();
    }
}

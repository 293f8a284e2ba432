package io.tidemark.query.compress;

import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EventEncoder;

/** A stream that is not compressed. */
record PlainStream() implements StreamCoding {
    private static final byte[] NOTHING = {};

    @Override
    public ContentCoding coding() {
        return ContentCoding.IDENTITY;
    }

    @Override
    public byte[] start() {
        return NOTHING;
    }

    @Override
    public byte[] line(byte[] line) {
        return line;
    }

    @Override
    public byte[] line(Delivery event, EventEncoder form) {
        return event.line(form);
    }

    @Override
    public byte[] end() {
        return NOTHING;
    }
}

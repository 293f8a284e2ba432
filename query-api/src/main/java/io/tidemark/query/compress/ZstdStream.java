package io.tidemark.query.compress;

import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.serving.watch.event.EventEncoder;

/** A stream of zstd, a frame for each line. */
record ZstdStream(ZstdFrames frames) implements StreamCoding {
    private static final byte[] NOTHING = {};

    @Override
    public ContentCoding coding() {
        return ContentCoding.ZSTD;
    }

    @Override
    public byte[] start() {
        return NOTHING;
    }

    @Override
    public byte[] line(byte[] line) {
        return frames.encode(line).bytes();
    }

    @Override
    public byte[] line(Delivery event, EventEncoder form) {
        return event.line(form, frames).bytes();
    }

    @Override
    public byte[] end() {
        return NOTHING;
    }
}

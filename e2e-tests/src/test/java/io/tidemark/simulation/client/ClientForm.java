package io.tidemark.simulation.client;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.encode.KeyValueEventEncoder;
import io.tidemark.query.encode.KeyValueListEncoder;
import io.tidemark.query.encode.ListEncoder;
import io.tidemark.query.encode.ObjectEncoders;
import io.tidemark.query.http.list.ContinueKeyCodec;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Shape;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.simulation.model.ModelFilter.Part;
import io.tidemark.simulation.world.Settings;
import java.nio.ByteBuffer;

/** The form of answers that a client accepts; production encodes them. */
enum ClientForm {
    /** As under {@code /kv}. */
    KEY_VALUES("", Part.WHOLE),
    OBJECTS("application/json", Part.OBJECT),
    METADATA("application/json;as=PartialObjectMetadata%s;g=meta.k8s.io;v=v1", Part.METADATA),
    TABLE("application/json;as=Table;g=meta.k8s.io;v=v1", Part.METADATA),
    OBJECTS_IN_PROTOBUF("application/vnd.kubernetes.protobuf", Part.OBJECT),
    METADATA_IN_PROTOBUF(
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata%s;g=meta.k8s.io;v=v1",
            Part.METADATA);

    static final Resource PODS = resource("pods");
    static final Resource SECRETS = resource("secrets");

    private final String accept;
    private final Part part;

    ClientForm(String accept, Part part) {
        this.accept = accept;
        this.part = part;
    }

    private static Resource resource(String plural) {
        return BuiltInResources.under(Settings.PREFIX).stream()
                .filter(each -> each.group().isEmpty() && each.plural().equals(plural))
                .findFirst()
                .orElseThrow();
    }

    /** What of an object it shows. */
    Part part() {
        return part;
    }

    ContinueKeyCodec tokenKeys() {
        return this == KEY_VALUES ? ContinueKeyCodec.ANY : ContinueKeyCodec.PATHS;
    }

    boolean isProtobuf() {
        return switch (this) {
            case OBJECTS_IN_PROTOBUF, METADATA_IN_PROTOBUF -> true;
            case KEY_VALUES, OBJECTS, METADATA, TABLE -> false;
        };
    }

    /** The form that shows the same in protobuf; this one where there is none. */
    ClientForm inProtobuf() {
        return switch (this) {
            case OBJECTS -> OBJECTS_IN_PROTOBUF;
            case METADATA -> METADATA_IN_PROTOBUF;
            case KEY_VALUES, TABLE, OBJECTS_IN_PROTOBUF, METADATA_IN_PROTOBUF -> this;
        };
    }

    /**
     * Where a line of a watch ends, a frame in protobuf; beyond the end of the text when the text
     * ends inside it.
     */
    int endOfLine(byte[] text, int from) {
        if (isProtobuf()) {
            ByteBuffer left = ByteBuffer.wrap(text, from, text.length - from);
            return left.remaining() < Integer.BYTES
                    ? text.length + 1
                    : from + Integer.BYTES + left.getInt();
        }
        int at = from;
        while (at < text.length && text[at] != '\n') {
            at++;
        }
        return at + 1;
    }

    EventEncoder events(ObjectEncoders encoders, Resource of) {
        return this == KEY_VALUES
                ? new KeyValueEventEncoder()
                : encoders.events(negotiated("", Shape.WATCH, of), of);
    }

    /**
     * @param memory of the response
     */
    ListEncoder list(ObjectEncoders encoders, Resource of, ByteBudget.Share memory) {
        return this == KEY_VALUES
                ? new KeyValueListEncoder(true)
                : encoders.list(negotiated("List", Shape.LIST, of), of, memory);
    }

    private Representation negotiated(String suffix, Shape shape, Resource of) {
        return Representation.negotiate(accept.formatted(suffix), "", false, of, shape);
    }
}

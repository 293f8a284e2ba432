package io.tidemark.simulation.client;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.encode.EncodedObjects;
import io.tidemark.query.encode.KeyValueEventEncoder;
import io.tidemark.query.encode.KeyValueListEncoder;
import io.tidemark.query.encode.ListEncoder;
import io.tidemark.query.encode.ObjectEncoders;
import io.tidemark.query.http.list.ContinueKeyCodec;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Shape;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.watch.EventEncoder;
import io.tidemark.simulation.model.ModelFilter.Part;
import io.tidemark.simulation.world.Settings;
import java.time.InstantSource;
import java.util.function.Supplier;

/** The form of answers that a client accepts; production encodes them. */
enum ClientForm {
    /** As under {@code /kv}. */
    KEY_VALUES("", Part.WHOLE),
    OBJECTS("application/json", Part.OBJECT),
    METADATA("application/json;as=PartialObjectMetadata%s;g=meta.k8s.io;v=v1", Part.METADATA),
    TABLE("application/json;as=Table;g=meta.k8s.io;v=v1", Part.METADATA);

    static final Resource PODS = resource("pods");
    static final Resource SECRETS = resource("secrets");

    /** Of encoders that hold nothing. */
    private static final ByteBudget.Share NO_MEMORY = new ByteBudget(1, 1).share("");

    /** Not used, as no client asks for protobuf. */
    private static final EncodedObjects ENCODED = new EncodedObjects(0);

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

    EventEncoder events(InstantSource clock, Resource of) {
        return this == KEY_VALUES
                ? new KeyValueEventEncoder()
                : new ObjectEncoders(clock, ENCODED).events(negotiated("", Shape.WATCH, of), of);
    }

    Supplier<ListEncoder> lists(InstantSource clock, Resource of) {
        return this == KEY_VALUES
                ? () -> new KeyValueListEncoder(true)
                : () ->
                        new ObjectEncoders(clock, ENCODED)
                                .list(negotiated("List", Shape.LIST, of), of, NO_MEMORY);
    }

    private Representation negotiated(String suffix, Shape shape, Resource of) {
        return Representation.negotiate(accept.formatted(suffix), "", false, of, shape);
    }
}

package io.tidemark.query.encode;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Format;
import io.tidemark.query.representation.Representation.View;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Chooses the encoder of objects for a negotiated form: compact JSON passes stored bytes, protobuf
 * is encoded from the JSON, all other forms are rendered.
 *
 * @param clock what ages in Tables are measured against
 * @param encoded objects in protobuf, shared by all requests
 */
public record ObjectEncoders(InstantSource clock, EncodedObjects encoded) {
    /**
     * An encoder for one list.
     *
     * @param memory of the response, for what the encoder holds
     */
    public ListEncoder list(Representation form, Resource resource, ByteBudget.Share memory) {
        ListEncoder encoder = listOfWhole(form, resource, memory);
        return form.withoutManagedFields() ? new ShownListEncoder(form, encoder) : encoder;
    }

    private ListEncoder listOfWhole(
            Representation form, Resource resource, ByteBudget.Share memory) {
        if (passesBytes(form)) {
            return new JsonListEncoder(resource);
        }
        return form.format() == Format.PROTOBUF
                ? new ProtobufListEncoder(protobuf(form, resource), memory)
                : new RenderedListEncoder(form.renderer(resource, clock));
    }

    /** The response to GET; empty when the object cannot be served in this version. */
    public Optional<byte[]> single(Representation form, Resource resource, StoredObject whole) {
        StoredObject object = form.shown(whole);
        return form.format() == Format.PROTOBUF
                ? protobuf(form, resource).document(object, object.revision())
                : form.renderer(resource, clock).single(object);
    }

    /** The part of an object that {@link #single} needs. */
    public Projection projection(Representation form, Resource resource) {
        return form.format() == Format.PROTOBUF && !form.withoutManagedFields()
                ? protobuf(form, resource).projection()
                : form.projection();
    }

    private ProtobufObjects protobuf(Representation form, Resource resource) {
        return ProtobufObjects.of(resource, form.view(), form.renderer(resource, clock), encoded);
    }

    /** An encoder for one watch. */
    public EventEncoder events(Representation form, Resource resource) {
        EventEncoder encoder = eventsOfWhole(form, resource);
        return form.withoutManagedFields() ? new ShownEventEncoder(form, encoder) : encoder;
    }

    private EventEncoder eventsOfWhole(Representation form, Resource resource) {
        if (passesBytes(form)) {
            return new JsonEventEncoder(resource, () -> form.renderer(resource, clock));
        }
        Supplier<Object> key = () -> sharedForm(form, resource);
        return form.format() == Format.PROTOBUF
                ? new ProtobufEventEncoder(key, protobuf(form, resource), !form.isOfLists())
                : new RenderedEventEncoder(key, form.renderer(resource, clock), !form.isOfLists());
    }

    /** All that an event's bytes depend on, besides the event. */
    private static Object sharedForm(Representation form, Resource resource) {
        return form.view() instanceof View.Table
                ? List.of(form, resource.servedForm(), resource.columns())
                : List.of(form, resource.servedForm());
    }

    /** Whether stored bytes are passed in this form. */
    public static boolean passesBytes(Representation form) {
        return form.format() == Format.JSON && form.view() instanceof View.Whole && !form.pretty();
    }
}

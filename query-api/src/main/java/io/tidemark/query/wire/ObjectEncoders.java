package io.tidemark.query.wire;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Format;
import io.tidemark.query.representation.Representation.View;
import io.tidemark.serving.watch.EventEncoder;
import java.time.InstantSource;
import java.util.List;

/**
 * Chooses the encoder of objects for a negotiated form: compact JSON passes stored bytes, all other
 * forms are rendered.
 *
 * @param clock what ages in Tables are measured against
 */
public record ObjectEncoders(InstantSource clock) {
    /** An encoder for one list. */
    public ListEncoder list(Representation form, Resource resource) {
        return passesBytes(form)
                ? new JsonListEncoder(resource)
                : new RenderedListEncoder(form.renderer(resource, clock));
    }

    /** An encoder for one watch. */
    public EventEncoder events(Representation form, Resource resource) {
        if (passesBytes(form)) {
            return new JsonEventEncoder(resource, () -> form.renderer(resource, clock));
        }
        Object key = List.of(form, resource.apiVersion());
        boolean listsOnly = form.view() instanceof View.Metadata(_, boolean list) && list;
        return new RenderedEventEncoder(key, form.renderer(resource, clock), !listsOnly);
    }

    /** Whether stored bytes are passed in this form. */
    public static boolean passesBytes(Representation form) {
        return form.format() == Format.JSON && form.view() instanceof View.Whole && !form.pretty();
    }
}

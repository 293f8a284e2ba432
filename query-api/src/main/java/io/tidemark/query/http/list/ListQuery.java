package io.tidemark.query.http.list;

import io.tidemark.query.wire.ListEncoder;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.view.object.Selection;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A LIST request.
 *
 * @param prefix prefix that keys in continue tokens are relative to
 * @param form creates an encoder, as a list may be restarted
 * @param label of the resource in metrics
 * @param at the requested time, if any
 */
public record ListQuery(
        KeyScope scope,
        Bytes prefix,
        ContinueKeyCodec tokenKeys,
        Selection selection,
        ListOptions options,
        String contentType,
        Supplier<ListEncoder> form,
        String label,
        Optional<Instant> at) {
    boolean selective() {
        return !selection.requirements().isEmpty();
    }
}

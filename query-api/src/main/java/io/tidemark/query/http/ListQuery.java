package io.tidemark.query.http;

import io.tidemark.serving.read.KeyScope;
import io.tidemark.query.wire.ListEncoder;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.record.Bytes;
import io.tidemark.view.Selection;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A list to be served.
 *
 * @param prefix what keys in continue tokens are relative to
 * @param form makes a writer: a list may have to be begun anew
 * @param label of the resource in metrics
 * @param at as of when, if a time is asked for
 */
record ListQuery(
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

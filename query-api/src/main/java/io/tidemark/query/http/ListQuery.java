package io.tidemark.query.http;

import io.tidemark.query.read.KeyScope;
import io.tidemark.query.wire.ListForm;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.record.Bytes;
import io.tidemark.view.Selection;
import java.util.function.Supplier;

/**
 * A list to be served.
 *
 * @param prefix what keys in continue tokens are relative to
 * @param form makes a writer: a list may have to be begun anew
 * @param label of the resource in metrics
 */
record ListQuery(
        KeyScope scope,
        Bytes prefix,
        TokenKeys tokenKeys,
        Selection selection,
        ListOptions options,
        String contentType,
        Supplier<ListForm> form,
        String label) {
    boolean selective() {
        return !selection.requirements().isEmpty();
    }
}

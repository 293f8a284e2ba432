package io.tidemark.query.http;

import io.tidemark.serving.watch.EventEncoder;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.query.wire.ListOptions;

/**
 * A watch to be served.
 *
 * @param options with a watch's defaults set, unless it is a long poll
 * @param form for this watch alone
 * @param label of the resource in metrics
 */
record WatchQuery(
        WatchFilter filter,
        ListOptions options,
        String contentType,
        EventEncoder form,
        String label) {}

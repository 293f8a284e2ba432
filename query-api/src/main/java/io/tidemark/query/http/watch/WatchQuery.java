package io.tidemark.query.http.watch;

import io.tidemark.query.wire.ListOptions;
import io.tidemark.serving.watch.WatchFilter;
import io.tidemark.serving.watch.event.EventEncoder;

/**
 * A WATCH or long-poll request.
 *
 * @param options with a watch's defaults set, unless it is a long poll
 * @param form the encoder of this watch only
 * @param label of the resource in metrics
 */
public record WatchQuery(
        WatchFilter filter,
        ListOptions options,
        String contentType,
        EventEncoder form,
        String label) {}

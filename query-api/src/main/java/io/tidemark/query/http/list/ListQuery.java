package io.tidemark.query.http.list;

import io.tidemark.query.encode.ListEncoder;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A LIST request.
 *
 * @param from the key that the list begins at; empty for that of the scope
 * @param prefix prefix that keys in continue tokens are relative to
 * @param form creates an encoder, as a list may be restarted
 * @param label of the resource in metrics
 * @param at the requested time, if any
 * @param shard the selector of its shard, for the list's metadata; empty for none
 */
public record ListQuery(
        KeyScope scope,
        Bytes from,
        Bytes prefix,
        ContinueKeyCodec tokenKeys,
        Selection selection,
        ListOptions options,
        String contentType,
        Supplier<ListEncoder> form,
        String label,
        Optional<Instant> at,
        String shard) {
    /** Whether labels or fields select objects: a shard does not count, as in the API server. */
    boolean selective() {
        return selection.requirements().stream()
                .anyMatch(each -> each.operator() != Operator.HASH_IN);
    }

    /** Whether the objects of a page are all that lie between its ends. */
    boolean isContiguous() {
        return selection.requirements().isEmpty();
    }

    /** The same for each list of all objects of the scope in this form; empty for a selection. */
    public Optional<Object> unselected() {
        return isContiguous() ? Optional.of(List.of(scope, contentType)) : Optional.empty();
    }

    /**
     * The metadata of the list or of a page.
     *
     * @param token empty when no page follows
     * @param remaining 0 when it is not known how many objects follow
     */
    ListMeta meta(long revision, String token, long remaining) {
        return new ListMeta(Long.toString(revision), token, remaining, shard);
    }
}

package io.tidemark.query.http.list;

import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.wire.ContinueToken;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.serving.read.PageLimits;
import io.tidemark.serving.read.ReadAllowance;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Collects the pages of lists with a limit, with the tokens that continue them. */
public final class ListPages {
    private final ClusterView view;
    private final PageLimits scanPage;
    private final int pageBytes;
    private final RemainingCounts counts = new RemainingCounts();

    /**
     * One page.
     *
     * @param meta its revision, and the continue token unless it is the last page
     * @param objects each is booked by the scan until it is released
     */
    public record Page(ListMeta meta, Deque<StoredObject> objects) {}

    /**
     * Creates it for one node.
     *
     * @param pageBytes a page ends early at this size
     */
    public ListPages(ClusterView view, PageLimits scanPage, int pageBytes) {
        this.view = view;
        this.scanPage = scanPage;
        this.pageBytes = pageBytes;
    }

    /** Like the API server, ignores a limit with resourceVersion 0. */
    public static boolean isLimited(ListQuery query) {
        return query.options().limit() > 0
                && (!query.options().resourceVersion().equals("0")
                        || !query.options().continueToken().isEmpty());
    }

    /** Limits of what the scan of a list reads at once: no more than the list's limit. */
    PageLimits scanPage(ListQuery query) {
        return isLimited(query)
                ? new PageLimits(
                        (int) Math.min(scanPage.entries(), query.options().limit()),
                        scanPage.bytes())
                : scanPage;
    }

    /**
     * Reads a page.
     *
     * @param scan from where the list starts or continues
     */
    public Page read(ListQuery query, ListStart start, MergedScan scan, ReadAllowance allowance)
            throws InterruptedException {
        Deque<StoredObject> page = new ArrayDeque<>();
        long limit = query.options().limit();
        long bytes = 0;
        boolean ended = false;
        while (!ended
                && (page.size() < limit && bytes < pageBytes || !mayEnd(query, start, page))) {
            StoredObject object = scan.next();
            ended = object == null;
            if (object != null) {
                page.add(object);
                bytes += object.stored().length;
            }
        }
        boolean last = ended || page.isEmpty();
        return new Page(last ? lastMeta(query, start) : meta(query, start, allowance, page), page);
    }

    /** A page does not end at a key whose token the server would refuse as too long. */
    private static boolean mayEnd(ListQuery query, ListStart start, Deque<StoredObject> page) {
        return page.isEmpty()
                || token(query, start, page.getLast().key().successor()).length()
                        <= ContinueToken.MAX_LENGTH;
    }

    private static String token(ListQuery query, ListStart start, Bytes next) {
        return new ContinueToken(
                        start.at().revision(),
                        query.tokenKeys().start(next.slice(query.prefix().length(), next.length())),
                        start.at().epoch())
                .encode();
    }

    private static ListMeta lastMeta(ListQuery query, ListStart start) {
        return query.meta(start.at().revision(), "", 0);
    }

    private ListMeta meta(
            ListQuery query, ListStart start, ReadAllowance allowance, Deque<StoredObject> page)
            throws InterruptedException {
        long revision = start.at().revision();
        Bytes next = page.getLast().key().successor();
        String token = token(query, start, next);
        if (!query.isContiguous()) {
            if (!rest(query, start, next, 1, allowance).hasNext()) {
                return lastMeta(query, start);
            }
            long following =
                    query.selective() ? 0 : afterShard(query, start, allowance, page.size(), token);
            return query.meta(revision, token, following);
        }
        long remaining = counts.after(query, start.exact(), token, page.size());
        if (remaining == RemainingCounts.UNKNOWN) {
            int entries = scanPage.entries();
            remaining = RemainingCounts.count(rest(query, start, next, entries, allowance));
        }
        counts.put(query, token, remaining);
        boolean more =
                remaining == RemainingCounts.TOO_MANY
                        ? rest(query, start, next, 1, allowance).hasNext()
                        : remaining > 0;
        return more ? query.meta(revision, token, Math.max(0, remaining)) : lastMeta(query, start);
    }

    /**
     * What follows a page of a shard, 0 when that is too many. Like the API server, counts the
     * objects of all shards from the page's beginning on, less those on the page.
     */
    private long afterShard(
            ListQuery query, ListStart start, ReadAllowance allowance, int pageSize, String token)
            throws InterruptedException {
        long from =
                counts.areTooMany(query)
                        ? RemainingCounts.TOO_MANY
                        : RemainingCounts.count(
                                rest(query, start, start.from(), scanPage.entries(), allowance));
        if (from == RemainingCounts.TOO_MANY) {
            counts.put(query, token, from);
            return 0;
        }
        return Math.max(0, from - pageSize);
    }

    /**
     * The objects from a key on, matching or not: like the API server, a full page has a continue
     * token when any object follows, so the last page may be empty. Reads their metadata only,
     * which is far smaller.
     */
    private MergedScan rest(
            ListQuery query, ListStart start, Bytes from, int entries, ReadAllowance allowance) {
        Selection all = new Selection(query.selection().kubernetesOnly(), List.of());
        return view.scan(
                query.scope(),
                all,
                from,
                start.at(),
                new PageLimits(entries, scanPage.bytes()),
                Projection.METADATA,
                allowance);
    }
}

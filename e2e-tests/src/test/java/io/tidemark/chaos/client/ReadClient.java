package io.tidemark.chaos.client;

import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.load.EtcdOracleWatch;
import io.tidemark.chaos.load.ObjectSpace;
import io.tidemark.chaos.load.ObjectText;
import io.tidemark.record.Bytes;
import io.tidemark.simulation.model.Item;
import io.tidemark.simulation.model.ModelFilter;
import io.tidemark.simulation.promise.RecordedRead;
import io.tidemark.simulation.promise.RecordedRead.Answer;
import io.tidemark.simulation.promise.RecordedRead.Page;
import io.tidemark.simulation.promise.RecordedRead.RequestedFreshness;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends one request at a time, to a node that it chooses each time. It retries a
 * failed request once: after the Retry-After if there is one, on another node otherwise.
 */
final class ReadClient {
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final long MAX_RETRY_SECONDS = 5;
    private static final int EXACT_BACK = 2_000;
    private static final int PAGE = 100;

    private final String name;
    private final ObjectSpace space;
    private final NodeTable nodes;
    private final AcknowledgedWrites acknowledged;
    private final ReadObserver observer;
    private final Availability availability;
    private final RetentionHorizon horizon;
    private final SplittableRandom random;

    ReadClient(
            String name,
            ObjectSpace space,
            NodeTable nodes,
            AcknowledgedWrites acknowledged,
            ReadObserver observer,
            Availability availability,
            RetentionHorizon horizon,
            SplittableRandom random) {
        this.name = name;
        this.space = space;
        this.nodes = nodes;
        this.acknowledged = acknowledged;
        this.observer = observer;
        this.availability = availability;
        this.horizon = horizon;
        this.random = random;
    }

    /**
     * The result of one attempt.
     *
     * @param acknowledged what etcd had acknowledged before it was sent
     * @param retryAfter in seconds, when it failed and says so
     */
    private record Reply(
            int status,
            Bytes body,
            long stalenessMillis,
            long acknowledged,
            long beganMillis,
            OptionalLong retryAfter) {
        boolean answered() {
            return status == 200 || status == 404 || status == 410;
        }

        /** Its description, without numbers, which differ each time. */
        String shown() {
            String text = body.utf8().replaceAll("[0-9]+", "N");
            return status == 0
                    ? text
                    : status + " " + text.substring(0, Math.min(200, text.length()));
        }
    }

    void ask(ReadKind kind) {
        try {
            if (kind.isGet()) {
                get(kind);
            } else {
                list(kind);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private RequestedFreshness freshness(ReadKind kind) {
        long newest = acknowledged.newest();
        return switch (kind) {
            case GET_ANY, LIST_ANY -> new RequestedFreshness.Any();
            case GET_AT_LEAST, LIST_AT_LEAST -> new RequestedFreshness.AtLeast(newest);
            case LIST_EXACT ->
                    new RequestedFreshness.Exactly(
                            Math.max(horizon.oldest(), newest - random.nextInt(EXACT_BACK)));
            case GET_NOW, LIST_NOW, LIST_PAGED, LIST_EVERYWHERE -> new RequestedFreshness.Now();
        };
    }

    private static String parameters(RequestedFreshness ask) {
        return switch (ask) {
            case RequestedFreshness.Now _ -> "";
            case RequestedFreshness.Any _ -> "resourceVersion=0";
            case RequestedFreshness.AtLeast(long revision) -> "resourceVersion=" + revision;
            case RequestedFreshness.Exactly(long revision) ->
                    "resourceVersionMatch=Exact&resourceVersion=" + revision;
        };
    }

    private void get(ReadKind kind) throws InterruptedException {
        RequestedFreshness ask = freshness(kind);
        int index = space.pick(random);
        String path =
                WatchTarget.path(space, space.namespaceOf(index))
                        + "/"
                        + space.name(index)
                        + "?"
                        + parameters(ask);
        Reply reply = send(path, Long.MAX_VALUE);
        if (reply == null) {
            return;
        }
        long atLeast =
                switch (ask) {
                    case RequestedFreshness.Now _ -> reply.acknowledged();
                    case RequestedFreshness.AtLeast(long revision) -> revision;
                    case RequestedFreshness.Any _, RequestedFreshness.Exactly _ -> 0;
                };
        Item item = null;
        if (reply.status() == 200) {
            byte[] body = reply.body().array();
            int end = body.length;
            while (end > 0 && body[end - 1] == '\n') {
                end--;
            }
            ObjectText.ParsedObject seen = ObjectText.read(space, body, 0, end);
            if (seen.index() != index) {
                observer.complaint(name, "another object than requested: " + path);
                return;
            }
            item = new Item(space.key(index), seen.revision(), EtcdOracleWatch.shown(seen.hash()));
        }
        observer.read(new RecordedGet(name, space.key(index), ask, item, atLeast));
    }

    private void list(ReadKind kind) throws InterruptedException {
        RequestedFreshness ask = freshness(kind);
        int namespace = random.nextInt(space.namespaces());
        int app = random.nextInt(ObjectSpace.APPS);
        boolean everywhere = kind == ReadKind.LIST_EVERYWHERE;
        ModelFilter interest = everywhere ? space.withApp(app) : space.inNamespace(namespace);
        String base =
                everywhere
                        ? "/api/v1/configmaps" + WatchTarget.selector(app)
                        : WatchTarget.path(space, namespace) + "?";
        String path = base + "&" + parameters(ask);
        if (kind == ReadKind.LIST_PAGED) {
            path += "&limit=" + PAGE;
        }
        List<Page> pages = new ArrayList<>();
        Reply first = null;
        long at =
                ask instanceof RequestedFreshness.Exactly(long revision)
                        ? revision
                        : Long.MAX_VALUE;
        while (true) {
            Reply reply = send(path, at);
            if (reply == null) {
                return;
            }
            first = first == null ? reply : first;
            try {
                ListText list = ListText.read(space, reply.body().array());
                pages.add(list.page());
                at = list.page().revision();
                if (list.continuation().isEmpty()) {
                    record(interest, ask, first, pages);
                    return;
                }
                path = base + "&limit=" + PAGE + "&continue=" + list.continuation();
            } catch (IOException e) {
                observer.complaint(name, path + ": " + e.getMessage());
                return;
            }
        }
    }

    private void record(
            ModelFilter interest, RequestedFreshness ask, Reply first, List<Page> pages) {
        // The promises are about one request: later pages are timed separately.
        long ended = first.beganMillis();
        // An exact read is stale on purpose.
        long age = ask instanceof RequestedFreshness.Exactly ? -1 : first.stalenessMillis();
        observer.read(
                name,
                new RecordedRead(
                        1,
                        interest,
                        ask,
                        new Answer.Listed(pages.getFirst().revision(), pages, age),
                        first.beganMillis(),
                        ended,
                        first.acknowledged(),
                        false));
    }

    /**
     * Null when both attempts failed, or when the answer was a 410: an unjustified one is a
     * complaint.
     *
     * @param atRevision of the read, when it is an old one
     */
    private @Nullable Reply send(String path, long atRevision) throws InterruptedException {
        long began = System.nanoTime();
        NodeTable.Address node = nodes.pick(random, -1);
        Reply reply = attempt(node, path);
        Reply before = reply;
        boolean atOnce = reply.answered();
        if (!atOnce) {
            if (reply.retryAfter().isPresent()) {
                TimeUnit.SECONDS.sleep(Math.min(MAX_RETRY_SECONDS, reply.retryAfter().getAsLong()));
            }
            reply = attempt(nodes.pick(random, node.slot()), path);
        }
        if (!reply.answered()) {
            availability.failed(before.shown() + ", then " + reply.shown());
            return null;
        }
        availability.answered(atOnce, (System.nanoTime() - began) / 1_000_000);
        if (reply.status() == 410 && horizon.mayBeCompacted(atRevision)) {
            return null;
        }
        if (reply.status() == 410) {
            observer.complaint(name, "410 for " + path + ": " + reply.body().utf8());
            return null;
        }
        return reply;
    }

    private Reply attempt(NodeTable.Address node, String path) {
        long known = acknowledged.newest();
        long began = System.currentTimeMillis();
        try (HttpExchange exchange = new HttpExchange(node, path, SILENCE)) {
            byte[] body = exchange.body();
            String asOf = exchange.header("x-tidemark-as-of");
            long age =
                    asOf.isEmpty() ? -1 : Math.max(0, began - Instant.parse(asOf).toEpochMilli());
            return new Reply(
                    exchange.status(),
                    Bytes.wrap(body),
                    age,
                    known,
                    began,
                    exchange.retryAfterSeconds());
        } catch (IOException e) {
            nodes.refused(node);
            Bytes why = Bytes.utf8(e.getClass().getSimpleName());
            return new Reply(0, why, -1, known, began, OptionalLong.empty());
        }
    }
}

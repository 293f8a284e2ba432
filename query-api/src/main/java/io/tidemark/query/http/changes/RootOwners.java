package io.tidemark.query.http.changes;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.changes.ChangeDescriber;
import io.tidemark.query.changes.ChangeItem;
import io.tidemark.query.changes.ObjectName;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.read.RevisionExpiredException;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Follows the owners of changed objects, as of each change, to the last one: from a Pod to its
 * Deployment. For one answer; an owner is read once, and one that is not there again as of another
 * change. Where no more may be read, the last one that is known counts. For one thread.
 */
final class RootOwners {
    /** Longest chain: longer ones are circles. */
    private static final int MOST_OWNERS = 8;

    private static final int MOST_READS = 300;

    /** Of all reads of one answer; no more begins then. They are slow when a node is. */
    private static final long MOST_NANOS = Duration.ofSeconds(2).toNanos();

    /** The status of a read that found no readable replica within its patience. */
    private static final int UNAVAILABLE = 503;

    private final ServingContext serving;
    private final ReadPoints points;
    private final ReadPoint at;
    private final Catalog catalog;
    private final ChangeDescriber describer;
    private final BiPredicate<Resource, ObjectName> mayRead;
    private final Map<Bytes, Optional<ObjectName>> owners = new HashMap<>();

    /** The revision as of which an object was last not there. */
    private final Map<Bytes, Long> missing = new HashMap<>();

    private int reads;
    private long readNanos;

    /**
     * @param at whose history is read
     * @param mayRead objects that the request has the right to
     */
    RootOwners(
            ServingContext serving,
            ReadPoints points,
            ReadPoint at,
            Catalog catalog,
            BiPredicate<Resource, ObjectName> mayRead) {
        this.serving = serving;
        this.points = points;
        this.at = at;
        this.catalog = catalog;
        this.describer = new ChangeDescriber(catalog);
        this.mayRead = mayRead;
    }

    ChangeItem withRoot(ChangeItem item) throws InterruptedException {
        Optional<ObjectName> root = item.owner();
        for (int i = 0; i < MOST_OWNERS && root.isPresent(); i++) {
            Optional<ObjectName> next = ownerOf(root.get(), item.revision());
            if (next.isEmpty()) {
                break;
            }
            root = next;
        }
        return item.withRoot(root);
    }

    private Optional<ObjectName> ownerOf(ObjectName object, long revision)
            throws InterruptedException {
        Optional<Resource> resource =
                catalog.ofKind(object.group(), object.kind())
                        .filter(of -> !object.cut() && mayRead.test(of, object));
        if (resource.isEmpty()) {
            return Optional.empty();
        }
        String path =
                object.namespace().isEmpty()
                        ? object.name()
                        : object.namespace() + "/" + object.name();
        Bytes key = resource.get().keyPrefix().concat(Bytes.utf8(path));
        Optional<ObjectName> known = owners.get(key);
        if (known != null) {
            return known;
        }
        if (isSpent() || missing.getOrDefault(key, -1L) == revision) {
            return Optional.empty();
        }
        Optional<StoredObject> found = read(key, revision);
        if (found.isEmpty()) {
            missing.put(key, revision);
            return Optional.empty();
        }
        Optional<ObjectName> owner = describer.controller(ChangeDescriber.json(found.get()));
        owners.put(key, owner);
        return owner;
    }

    private boolean isSpent() {
        return reads >= MOST_READS || readNanos >= MOST_NANOS;
    }

    private Optional<StoredObject> read(Bytes key, long revision) throws InterruptedException {
        long began = System.nanoTime();
        ReadPoint then =
                points.earlier(
                        at, serving.watermarks().partitionsOf(KeyScope.exact(key)), revision);
        try {
            return serving.view().get(key, then, Projection.METADATA);
        } catch (RevisionExpiredException _) {
            return Optional.empty();
        } catch (StatusException e) {
            if (e.status().code() != UNAVAILABLE) {
                throw e;
            }
            readNanos = MOST_NANOS;
            return Optional.empty();
        } finally {
            reads++;
            readNanos += System.nanoTime() - began;
        }
    }
}

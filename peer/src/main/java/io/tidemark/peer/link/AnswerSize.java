package io.tidemark.peer.link;

import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.UnreadableRequest;
import io.tidemark.view.request.VersionPage;
import java.util.Optional;

/** Estimates how much memory the objects of an answer take, in bytes. */
public final class AnswerSize {
    /** Of any answer: a page ends at a few MiB, with its last object or both sides of a change. */
    public static final long MAX = 64L << 20;

    /** A page may exceed its limit by one object, and etcd bounds an object to about this. */
    private static final long ONE_OBJECT = 2L << 20;

    private static final long FEW_KEYS = 128L << 10;

    private AnswerSize() {}

    /** An upper bound for most answers to this request. */
    public static long expected(ReadRequest<?> request) {
        return switch (request) {
            case RevisionAtRequest _, UnreadableRequest _ -> FEW_KEYS;
            default -> request.maxBytes() + ONE_OBJECT;
        };
    }

    /** Of one answer; 0 when it has no objects. */
    public static long of(ReadOutcome<?> outcome) {
        return outcome instanceof ReadOutcome.Served<?>(var value) ? ofValue(value) : 0;
    }

    private static long ofValue(Object value) {
        return switch (value) {
            case ScanPage page -> page.objects().stream().mapToLong(AnswerSize::ofObject).sum();
            case ChangePage page -> page.bytes();
            case VersionPage page ->
                    page.versions().stream().mapToLong(each -> ofObject(each.object())).sum();
            case Optional<?> found ->
                    found.isPresent() && found.get() instanceof StoredObject object
                            ? ofObject(object)
                            : 0;
            default -> 0;
        };
    }

    private static long ofObject(StoredObject object) {
        return object.stored().length;
    }
}

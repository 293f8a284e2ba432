package io.tidemark.view.request;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;

/** Requests the version of a key that was current at a revision; the answer is empty for none. */
public record GetRequest(Bytes key, long atRevision, Projection projection)
        implements ReadRequest<Optional<StoredObject>> {
    /** For the whole object. */
    public GetRequest(Bytes key, long atRevision) {
        this(key, atRevision, Projection.WHOLE);
    }

    /** The same in another projection. */
    public GetRequest with(Projection other) {
        return other.equals(projection) ? this : new GetRequest(key, atRevision, other);
    }

    @Override
    public long revision() {
        return atRevision;
    }
}

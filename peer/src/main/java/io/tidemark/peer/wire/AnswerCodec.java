package io.tidemark.peer.wire;

import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.view.request.UnreadablePage;
import io.tidemark.view.request.UnreadableRequest;
import io.tidemark.view.request.VersionPage;
import io.tidemark.view.request.VersionsRequest;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Encodes and decodes the answer to a request; the type of the request selects the codec. */
final class AnswerCodec<T> {
    private static final AnswerCodec<Optional<StoredObject>> OBJECT =
            new AnswerCodec<>(ObjectCodec::writeOptional, ObjectCodec::readOptional);
    private static final AnswerCodec<ScanPage> OBJECTS =
            new AnswerCodec<>(ObjectCodec::writePage, ObjectCodec::readPage);
    private static final AnswerCodec<ChangePage> CHANGES =
            new AnswerCodec<>(ObjectCodec::writeChanges, ObjectCodec::readChanges);
    private static final AnswerCodec<VersionPage> VERSIONS =
            new AnswerCodec<>(VersionCodec::writePage, VersionCodec::readPage);
    private static final AnswerCodec<RevisionAtTime> REVISION =
            new AnswerCodec<>(VersionCodec::writeRevision, VersionCodec::readRevision);
    private static final AnswerCodec<UnreadablePage> UNREADABLE =
            new AnswerCodec<>(ObjectCodec::writeUnreadable, ObjectCodec::readUnreadable);

    private final BiConsumer<T, WireOutput> writer;
    private final Reader<T> reader;

    private interface Reader<T> {
        T read(WireInput in) throws WireException;
    }

    private AnswerCodec(BiConsumer<T, WireOutput> writer, Reader<T> reader) {
        this.writer = writer;
        this.reader = reader;
    }

    @SuppressWarnings("unchecked") // A request is typed by its answer.
    static <T> AnswerCodec<T> of(ReadRequest<T> request) {
        AnswerCodec<?> codec =
                switch (request) {
                    case GetRequest _ -> OBJECT;
                    case ScanRequest _ -> OBJECTS;
                    case ChangesRequest _ -> CHANGES;
                    case VersionsRequest _ -> VERSIONS;
                    case RevisionAtRequest _ -> REVISION;
                    case UnreadableRequest _ -> UNREADABLE;
                };
        return (AnswerCodec<T>) codec;
    }

    void write(T value, WireOutput out) {
        writer.accept(value, out);
    }

    T read(WireInput in) throws WireException {
        return reader.read(in);
    }
}

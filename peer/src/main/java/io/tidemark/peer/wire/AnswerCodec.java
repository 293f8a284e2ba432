package io.tidemark.peer.wire;

import io.tidemark.view.ChangePage;
import io.tidemark.view.RevisionAtTime;
import io.tidemark.view.ScanPage;
import io.tidemark.view.StoredObject;
import io.tidemark.view.UnreadablePage;
import io.tidemark.view.VersionPage;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Encodes and decodes the answer to a call; the type of the call selects the codec. */
public final class AnswerCodec<T> {
    static final AnswerCodec<Optional<StoredObject>> OBJECT =
            new AnswerCodec<>(ObjectCodec::writeOptional, ObjectCodec::readOptional);
    static final AnswerCodec<ScanPage> OBJECTS =
            new AnswerCodec<>(ObjectCodec::writePage, ObjectCodec::readPage);
    static final AnswerCodec<ChangePage> CHANGES =
            new AnswerCodec<>(ObjectCodec::writeChanges, ObjectCodec::readChanges);
    static final AnswerCodec<VersionPage> VERSIONS =
            new AnswerCodec<>(VersionCodec::writePage, VersionCodec::readPage);
    static final AnswerCodec<RevisionAtTime> REVISION =
            new AnswerCodec<>(VersionCodec::writeRevision, VersionCodec::readRevision);
    static final AnswerCodec<UnreadablePage> UNREADABLE =
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

    void write(T value, WireOutput out) {
        writer.accept(value, out);
    }

    T read(WireInput in) throws WireException {
        return reader.read(in);
    }
}

package io.tidemark.peer.wire;

import io.tidemark.view.ChangePage;
import io.tidemark.view.RevisionAtTime;
import io.tidemark.view.ScanPage;
import io.tidemark.view.StoredObject;
import io.tidemark.view.UnreadablePage;
import io.tidemark.view.VersionPage;
import java.util.Optional;
import java.util.function.BiConsumer;

/** How the answer to a question is written and read; it follows from the question. */
public final class AnswerForm<T> {
    static final AnswerForm<Optional<StoredObject>> OBJECT =
            new AnswerForm<>(ObjectCodec::writeOptional, ObjectCodec::readOptional);
    static final AnswerForm<ScanPage> OBJECTS =
            new AnswerForm<>(ObjectCodec::writePage, ObjectCodec::readPage);
    static final AnswerForm<ChangePage> CHANGES =
            new AnswerForm<>(ObjectCodec::writeChanges, ObjectCodec::readChanges);
    static final AnswerForm<VersionPage> VERSIONS =
            new AnswerForm<>(VersionCodec::writePage, VersionCodec::readPage);
    static final AnswerForm<RevisionAtTime> REVISION =
            new AnswerForm<>(VersionCodec::writeRevision, VersionCodec::readRevision);
    static final AnswerForm<UnreadablePage> UNREADABLE =
            new AnswerForm<>(ObjectCodec::writeUnreadable, ObjectCodec::readUnreadable);

    private final BiConsumer<T, WireOutput> writer;
    private final Reader<T> reader;

    private interface Reader<T> {
        T read(WireInput in) throws WireException;
    }

    private AnswerForm(BiConsumer<T, WireOutput> writer, Reader<T> reader) {
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

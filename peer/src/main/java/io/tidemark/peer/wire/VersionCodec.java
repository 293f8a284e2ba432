package io.tidemark.peer.wire;

import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.KeyVersion.Step;
import io.tidemark.view.request.RevisionAtTime;
import io.tidemark.view.request.VersionPage;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Encodes and decodes versions and times. */
final class VersionCodec {
    private static final int LEAST_VERSION = 2 * Long.BYTES + 1 + 2 * Integer.BYTES;

    private VersionCodec() {}

    static void writePage(VersionPage page, WireOutput out) {
        out.int64(page.throughRevision());
        out.int64(page.floor());
        out.int32(page.versions().size());
        for (KeyVersion version : page.versions()) {
            out.int64(version.revision());
            out.int64(version.timeMillis());
            out.oneByte(code(version.step()));
            ObjectCodec.write(version.object(), out);
        }
    }

    static VersionPage readPage(WireInput in) throws WireException {
        long through = in.int64();
        long floor = in.int64();
        int count = in.count(LEAST_VERSION);
        List<KeyVersion> versions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            versions.add(
                    new KeyVersion(
                            in.int64(), in.int64(), step(in.oneByte()), ObjectCodec.read(in)));
        }
        return new VersionPage(versions, through, floor);
    }

    static void writeRevision(RevisionAtTime answer, WireOutput out) {
        out.flag(answer.revision().isPresent());
        answer.revision().ifPresent(out::int64);
        out.flag(answer.settled());
        out.int64(answer.oldestMillis());
    }

    static RevisionAtTime readRevision(WireInput in) throws WireException {
        OptionalLong revision = in.flag() ? OptionalLong.of(in.int64()) : OptionalLong.empty();
        return new RevisionAtTime(revision, in.flag(), in.int64());
    }

    private static int code(Step step) {
        return switch (step) {
            case ADDED -> '+';
            case MODIFIED -> '=';
            case DELETED -> '-';
        };
    }

    private static Step step(int code) throws WireException {
        return switch (code) {
            case '+' -> Step.ADDED;
            case '=' -> Step.MODIFIED;
            case '-' -> Step.DELETED;
            default -> throw new WireException("unknown step: " + code);
        };
    }
}

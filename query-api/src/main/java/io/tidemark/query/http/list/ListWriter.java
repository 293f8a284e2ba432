package io.tidemark.query.http.list;

import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.compress.SharedPieces;
import io.tidemark.query.encode.ListEncoder;
import io.tidemark.query.group.GroupReader;
import io.tidemark.query.group.ObjectGroup;
import io.tidemark.query.group.ObjectScans;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.util.Deque;
import java.util.Optional;

/** Writes the objects of a list, in as many passes over them as its form needs. */
public final class ListWriter {
    private ListWriter() {}

    /**
     * Writes all objects while they are read. A list whose last one was long reads the checksums of
     * its objects first, to copy those that are known compressed.
     *
     * @param list names the same list as of another time; empty if its objects must be read
     * @return the number of objects
     */
    public static long writeAll(
            ListEncoder first,
            ListMeta meta,
            Optional<Object> list,
            ObjectScans scans,
            PieceOutput out)
            throws IOException, InterruptedException {
        Optional<SharedPieces> shared = list.isPresent() ? out.shared() : Optional.empty();
        boolean copies = shared.isPresent() && shared.get().hadParts(list.get());
        long objects = 0;
        boolean ofParts = false;
        for (Optional<ListEncoder> pass = Optional.of(first);
                pass.isPresent();
                pass = pass.get().nextPass()) {
            ListEncoder form = pass.get();
            objects =
                    copies && form.copiesGroups(out)
                            ? writeGroups(form, meta, scans, out)
                            : writeScan(form, meta, scans.begin(form.projection()), out);
            ofParts |= form.copiesGroups(out) && !out.isHeldBack(0);
        }
        if (shared.isPresent()) {
            shared.get().made(list.get(), ofParts);
        }
        return objects;
    }

    private static long writeGroups(
            ListEncoder form, ListMeta meta, ObjectScans scans, PieceOutput out)
            throws IOException, InterruptedException {
        GroupReader reader = new GroupReader(scans, form.projection());
        reader.prepare();
        form.start(meta, out);
        long objects = reader.read(new Items(form, out));
        form.end(out);
        return objects;
    }

    private record Items(ListEncoder form, PieceOutput out) implements GroupReader.Taker {
        @Override
        public void expect(long atLeast) {
            form.expect(atLeast, out);
        }

        @Override
        public boolean copy(ObjectGroup group) throws IOException {
            return form.copy(group, out);
        }

        @Override
        public void take(StoredObject object) throws IOException {
            form.item(object, out);
        }

        @Override
        public boolean isFull() {
            return form.isFull();
        }
    }

    private static long writeScan(ListEncoder form, ListMeta meta, MergedScan scan, PieceOutput out)
            throws IOException, InterruptedException {
        // Reads the first page before writing: most errors show there.
        StoredObject object = scan.next();
        form.start(meta, out);
        long objects = 0;
        while (object != null) {
            form.item(object, out);
            scan.release(object);
            objects++;
            object = form.isFull() ? null : scan.next();
        }
        scan.abandon();
        form.end(out);
        return objects;
    }

    /**
     * Writes a page that has been read.
     *
     * @param scan which has read it; the last pass releases its objects
     * @return the number of objects
     */
    public static long writePage(
            ListEncoder first, ListPages.Page page, MergedScan scan, PieceOutput out)
            throws IOException {
        Deque<StoredObject> objects = page.objects();
        int count = objects.size();
        ListEncoder form = first;
        while (form.measures()) {
            form.start(page.meta(), out);
            for (StoredObject object : objects) {
                form.item(object, out);
            }
            form.end(out);
            Optional<ListEncoder> next = form.nextPass();
            if (next.isEmpty()) {
                return count;
            }
            form = next.get();
        }
        form.start(page.meta(), out);
        while (!objects.isEmpty()) {
            StoredObject object = objects.remove();
            form.item(object, out);
            scan.release(object);
        }
        form.end(out);
        return count;
    }
}

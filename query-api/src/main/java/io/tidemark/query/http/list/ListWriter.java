package io.tidemark.query.http.list;

import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.encode.ListEncoder;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Function;

/** Writes the objects of a list, in as many passes over them as its form needs. */
public final class ListWriter {
    private ListWriter() {}

    /**
     * Writes all objects while they are read.
     *
     * @param scan for the first pass, with the encoder's projection
     * @param again begins the scan of a further pass, from the same key at the same revision
     * @return the number of objects
     */
    public static long writeAll(
            ListEncoder first,
            ListMeta meta,
            MergedScan scan,
            Function<Projection, MergedScan> again,
            PieceOutput out)
            throws IOException, InterruptedException {
        long objects = writeScan(first, meta, scan, out);
        for (Optional<ListEncoder> next = first.nextPass();
                next.isPresent();
                next = next.get().nextPass()) {
            objects = writeScan(next.get(), meta, again.apply(next.get().projection()), out);
        }
        return objects;
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

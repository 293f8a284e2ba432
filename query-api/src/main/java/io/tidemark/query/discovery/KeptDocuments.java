package io.tidemark.query.discovery;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Finished documents, so that one that many clients ask for is made once. Bounded by bytes: those
 * that are asked for often stay. Thread-safe.
 */
final class KeptDocuments {
    /** At most this part of the heap. */
    private static final int HEAP_PART = 32;

    /** What an entry takes besides its bytes, about. */
    private static final int OVERHEAD = 500;

    private final AsyncCache<Object, Document> documents;

    /**
     * @param mostBytes of all documents together
     */
    KeptDocuments(long mostBytes) {
        this.documents =
                Caffeine.newBuilder()
                        .maximumWeight(mostBytes)
                        .weigher(
                                (Object _, Document document) -> document.bytes().length + OVERHEAD)
                        .executor(Runnable::run)
                        .buildAsync();
    }

    /** With a thirty-second of this process's heap. */
    static KeptDocuments inHeap() {
        return new KeptDocuments(Runtime.getRuntime().maxMemory() / HEAP_PART);
    }

    /**
     * The document with this key. Of several threads that ask for one that is missing, one makes it
     * and the others wait; no thread waits for a document with another key.
     *
     * @param make makes the document; its exception is thrown to all who wait, and is not kept
     */
    Document get(Object key, Supplier<Document> make) {
        CompletableFuture<Document> made = new CompletableFuture<>();
        CompletableFuture<Document> known = documents.asMap().putIfAbsent(key, made);
        if (known != null) {
            return joined(known);
        }
        try {
            Document document = make.get();
            made.complete(document);
            return document;
        } catch (RuntimeException | Error e) {
            made.completeExceptionally(e);
            throw e;
        }
    }

    private static Document joined(CompletableFuture<Document> made) {
        try {
            return made.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException thrown ? thrown : e;
        }
    }

    /** Of all documents together, with what their entries take besides. */
    long bytes() {
        return documents.synchronous().policy().eviction().orElseThrow().weightedSize().orElse(0);
    }
}

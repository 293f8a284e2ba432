package io.tidemark.store;

import io.tidemark.view.request.ScanPage;
import java.util.List;

/** Short texts of pages. */
final class StoreText {
    private StoreText() {}

    static List<String> of(ScanPage page) {
        return page.objects().stream().map(Object::toString).toList();
    }
}

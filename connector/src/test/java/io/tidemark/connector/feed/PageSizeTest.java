package io.tidemark.connector.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangePage;
import io.tidemark.record.Bytes;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class PageSizeTest {
    private final PageSize size = new PageSize();

    @Test
    void pagesGrowWithSmallValuesAndShrinkWithLargeOnes() {
        for (int i = 0; i < 10; i++) {
            size.listed(page(size.limit(), 100));
        }
        assertThat(size.limit()).isEqualTo(PageSize.MOST);
        size.listed(page(100, 1_000_000));
        assertThat(size.limit()).isEqualTo(4);
        size.listed(page(1, 10_000_000));
        assertThat(size.limit()).isEqualTo(1);
    }

    @Test
    void aPageIsAtMostFourTimesTheLastOne() {
        size.listed(page(32, 100));
        assertThat(size.limit()).isEqualTo(128);
        size.listed(page(0, 0));
        assertThat(size.limit()).as("after an empty page").isEqualTo(128);
    }

    @Test
    void aPageThatIsTooLargeIsReadInQuartersDownToOneKey() {
        assertThat(size.tooLarge()).isTrue();
        assertThat(size.limit()).isEqualTo(8);
        assertThat(size.tooLarge()).isTrue();
        assertThat(size.limit()).isEqualTo(2);
        assertThat(size.tooLarge()).isTrue();
        assertThat(size.limit()).isEqualTo(1);
        assertThat(size.tooLarge()).isFalse();
        assertThat(size.limit()).isEqualTo(1);
    }

    private static RangePage page(int keys, int valueBytes) {
        KeyValue keyValue =
                new KeyValue(Bytes.utf8("k"), Bytes.wrap(new byte[valueBytes]), 1, 1, 1, 0);
        return new RangePage(Collections.nCopies(keys, keyValue), false, keys, 1, 1);
    }
}

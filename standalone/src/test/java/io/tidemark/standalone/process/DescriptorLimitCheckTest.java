package io.tidemark.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.standalone.options.DescriptorBudget;
import io.tidemark.store.rocksdb.OpenFileLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptorLimitCheckTest {
    @ParameterizedTest
    @ValueSource(longs = {1_024, 4_096, 8_192, 20_000, 65_536, 1_048_576, Long.MAX_VALUE})
    void sharesFitTheLimit(long limit) {
        DescriptorBudget budget = new DescriptorBudget(limit);

        assertThat((long) budget.stores() + budget.others() + budget.connections())
                .isLessThanOrEqualTo(limit);
        assertThat(budget.connections()).isGreaterThanOrEqualTo(512).isLessThanOrEqualTo(20_000);
        for (int stores = 1; stores <= budget.stores() / 32; stores++) {
            assertThat(stores * OpenFileLimits.ofEachStore(limit, stores))
                    .isLessThanOrEqualTo(budget.stores());
        }
    }

    @Test
    void storesGetTheirMinimum() {
        assertThat(OpenFileLimits.ofEachStore(1_024, 1_000)).isEqualTo(32);
        assertThat(OpenFileLimits.ofEachStore(1_048_576, 8)).isEqualTo(256);
    }

    @Test
    void refusesToStartBelowTheMinimum() {
        assertThatThrownBy(() -> DescriptorLimitCheck.require(new DescriptorBudget(1_000)))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("1000 files and sockets", "1024", "ulimit -n");
        assertThatCode(() -> DescriptorLimitCheck.require(new DescriptorBudget(1_024)))
                .doesNotThrowAnyException();
    }
}

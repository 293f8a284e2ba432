package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.store.engine.EngineException;
import io.tidemark.store.engine.EngineException.Fault;
import io.tidemark.store.engine.ForwardingEngine;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A read of the engine fails while a record is applied: the record comes again. */
class FailedReadTest extends StoreFixture {
    private boolean failing;

    /** As with too many open files. */
    private final class FailingEngine extends ForwardingEngine {
        FailingEngine() {
            super(engine);
        }

        @Override
        public byte @Nullable [] get(Family family, Bytes key) {
            if (failing) {
                throw new EngineException(
                        "cannot read", new IOException("too many open files"), Fault.OTHER);
            }
            return super.get(family, key);
        }

        /** What it holds is opened again. */
        @Override
        public void close() {}
    }

    private void begin() {
        store = open(new FailingEngine(), 1 << 20);
        apply(
                Changes.begin(10),
                Changes.listed("a", 9),
                Changes.end(10),
                Changes.put("a", 11, 0),
                Changes.progress(11));
    }

    /** What is written when the store closes must not name an offset that was not applied. */
    private void failAndReopen(Change change) {
        failing = true;
        assertThatThrownBy(() -> apply(change)).isInstanceOf(EngineException.class);
        failing = false;
        long applied = store.appliedOffset();
        store.close();
        store = open(new FailingEngine(), 1 << 20);
        assertThat(store.appliedOffset()).isEqualTo(applied);
        offset = applied + 1;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aChangeIsAppliedAfterTheStoreWasOpenedAgain(boolean deleted) {
        begin();
        Change change = deleted ? Changes.delete("a", 12, 0) : Changes.put("a", 12, 0);
        failAndReopen(change);
        apply(change, Changes.progress(12));
        assertThat(at(12)).isEqualTo(deleted ? List.of() : List.of("a@12"));
        assertThat(at(11)).containsExactly("a@11");
    }

    @Test
    void aChangeOfAGapIsAppliedToo() {
        begin();
        Change change = Changes.inGap("a", 30, 0);
        failAndReopen(change);
        apply(change, Changes.gap(40));
        assertThat(at(40)).containsExactly("a@30");
    }
}

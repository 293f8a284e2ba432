package io.tidemark.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenerListTest {
    private final List<String> called = new ArrayList<>();
    private final List<RuntimeException> failures = new ArrayList<>();
    private final ListenerList listeners = new ListenerList(failures::add);

    @Test
    void callsAllInTheirOrderThoughOneFails() {
        IllegalStateException failure = new IllegalStateException("for the test");
        listeners.add(() -> called.add("first"));
        listeners.add(() -> {
            throw failure;
        });
        listeners.add(() -> called.add("last"));

        listeners.callAll();

        assertThat(called).containsExactly("first", "last");
        assertThat(failures).containsExactly(failure);
    }

    @Test
    void removesOneOfTwoRegistrations() {
        Runnable listener = () -> called.add("called");
        Runnable remove = listeners.add(listener);
        listeners.add(listener);

        remove.run();
        remove.run();
        listeners.callAll();

        assertThat(called).hasSize(1);
        assertThat(listeners.isEmpty()).isFalse();
    }
}

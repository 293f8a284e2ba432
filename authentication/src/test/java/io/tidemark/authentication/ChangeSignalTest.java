package io.tidemark.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeSignalTest {
    private final ChangeSignal signal = new ChangeSignal();
    private final List<String> called = new ArrayList<>();

    /** The caller may be the only thread that follows a file of rights. */
    @Test
    void aListenerThatFailsStopsNeitherTheOthersNorTheCaller() {
        Runnable failing =
                () -> {
                    called.add("failing");
                    throw new IllegalStateException("for the test");
                };
        signal.onChange(failing);
        signal.onChange(() -> called.add("other"));
        signal.onChange(failing);

        signal.raise();

        assertThat(called).containsExactlyInAnyOrder("failing", "other", "failing");
        assertThat(signal.version()).isEqualTo(1);
    }

    @Test
    void endsTheCallsOfOneRegistrationOnly() {
        Runnable listener = () -> called.add("called");
        Runnable end = signal.onChange(listener);
        signal.onChange(listener);

        end.run();
        signal.raise();

        assertThat(called).hasSize(1);
        assertThat(signal.hasListeners()).isTrue();
    }
}

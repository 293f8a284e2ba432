package io.tidemark.waits;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets each test wait up to three minutes for a condition, unless it says otherwise.
 *
 * <p>That is far more than any condition takes on a machine with idle cores, so only a test that
 * fails waits that long. A shorter bound would be an assertion about the machine.
 *
 * <p>A wait does not end because a thread died of an exception: the thread may be left from another
 * test, such as one of Kafka Streams that lost its folder. JUnit finds this class by {@code
 * META-INF/services}.
 */
public final class BoundedWaits implements LauncherSessionListener {
    private static final Duration LONGEST = Duration.ofMinutes(3);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LONGEST);
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }
}

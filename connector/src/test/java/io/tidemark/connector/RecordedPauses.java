package io.tidemark.connector;

import io.tidemark.concurrent.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A machine without time: a feed's first pauses end at once, the next one when the feed ends. */
final class RecordedPauses implements FeedRuntime {
    private final FeedRuntime last = FeedRuntime.ofSystem();
    private final BlockingQueue<Duration> pauses;

    /**
     * @param count of the pauses that end at once
     */
    RecordedPauses(int count) {
        pauses = new LinkedBlockingQueue<>(count);
    }

    List<Duration> pauses() {
        return List.copyOf(pauses);
    }

    boolean isFull() {
        return pauses.remainingCapacity() == 0;
    }

    @Override
    public TimeSource time() {
        return new TimeSource() {
            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public long currentTimeMillis() {
                return 0;
            }
        };
    }

    @Override
    public void pause(Duration duration) throws InterruptedException {
        if (!pauses.offer(duration)) {
            last.pause(Duration.ofHours(1));
        }
    }

    @Override
    public void endPauses() {
        last.endPauses();
    }

    @Override
    public void execute(Runnable call) {
        last.execute(call);
    }
}

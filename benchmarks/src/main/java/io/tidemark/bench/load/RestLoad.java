package io.tidemark.bench.load;

import io.tidemark.bench.http.Target;
import java.io.IOException;
import java.time.Duration;

/** No clients and no writes. */
record RestLoad(String name, String title, Duration duration) implements Workload {
    @Override
    public String unit() {
        return "second";
    }

    @Override
    public Outcome run(Target target) throws IOException, InterruptedException {
        Usage.Meter meter = new Usage.Meter(target);
        Thread.sleep(duration);
        Usage usage = meter.read();
        return new Outcome(usage, Math.round(usage.seconds()), 0, 0, "", Latency.NONE);
    }
}

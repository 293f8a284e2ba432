package io.tidemark.bench.report;

import io.tidemark.bench.load.Measurement;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What is shown of a measurement. */
enum Figure {
    CPU("server CPU per unit", Measurement::serverCpuMicrosPerUnit) {
        @Override
        String text(double micros) {
            return duration(micros);
        }
    },
    RATE("units per second", Measurement::unitsPerSecond) {
        @Override
        String text(double value) {
            return value >= 100
                    ? String.format(Locale.ROOT, "%,.0f", value)
                    : String.format(Locale.ROOT, "%.2f", value);
        }
    },
    P50("p50", each -> each.latency().p50()) {
        @Override
        String text(double micros) {
            return duration(micros);
        }
    },
    P99("p99", each -> each.latency().p99()) {
        @Override
        String text(double micros) {
            return duration(micros);
        }
    },
    BANDWIDTH("MB/s", each -> each.seconds() == 0 ? 0 : each.bytes() / 1e6 / each.seconds()) {
        @Override
        String text(double value) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
    },
    MEMORY("server memory, MB", each -> each.serverMemoryBytes() / 1e6) {
        @Override
        String text(double value) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
    },
    OWN_CPU(
            "client CPU per unit",
            each -> each.units() == 0 ? 0 : each.ownCpuMillis() * 1_000.0 / each.units()) {
        @Override
        String text(double micros) {
            return duration(micros);
        }
    };

    private final String title;
    private final ToDoubleFunction<Measurement> value;

    Figure(String title, ToDoubleFunction<Measurement> value) {
        this.title = title;
        this.value = value;
    }

    String title() {
        return title;
    }

    ToDoubleFunction<Measurement> value() {
        return value;
    }

    abstract String text(double value);

    /** The median, and the extremes in parentheses; a dash when it was not measured. */
    String text(Spread spread) {
        if (spread.isZero()) {
            return "–";
        }
        String median = text(spread.median());
        String range = text(spread.least()) + "–" + text(spread.most());
        return spread.least() == spread.most() ? median : median + " (" + range + ")";
    }

    private static String duration(double micros) {
        if (micros >= 1_000_000) {
            return String.format(Locale.ROOT, "%.2f s", micros / 1_000_000);
        }
        return micros >= 1_000
                ? String.format(Locale.ROOT, "%.2f ms", micros / 1_000)
                : String.format(Locale.ROOT, "%.1f µs", micros);
    }
}

package io.tidemark.bench.report;

import io.tidemark.bench.load.Measurement;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** What is shown of a measurement. */
enum Figure {
    CPU("server CPU per unit", Measurement::serverCpuMicrosPerUnit, Figure::duration),
    RATE("units per second", Measurement::unitsPerSecond, Figure::rate),
    P50("p50", each -> each.latency().p50(), Figure::duration),
    P99("p99", each -> each.latency().p99(), Figure::duration),
    BANDWIDTH(
            "MB/s",
            each -> each.seconds() == 0 ? 0 : each.bytes() / 1e6 / each.seconds(),
            Figure::whole),
    MEMORY("server memory, MB", each -> each.serverMemoryBytes() / 1e6, Figure::whole),
    HEAP(
            "server heap per unit, KB",
            each -> each.serverHeapBytesPerUnit() / 1e3,
            value -> String.format(Locale.ROOT, "%,.1f", value)),
    OWN_CPU(
            "client CPU per unit",
            each -> each.units() == 0 ? 0 : each.ownCpuMillis() * 1_000.0 / each.units(),
            Figure::duration);

    private final String title;
    private final ToDoubleFunction<Measurement> value;
    private final DoubleFunction<String> format;

    Figure(String title, ToDoubleFunction<Measurement> value, DoubleFunction<String> format) {
        this.title = title;
        this.value = value;
        this.format = format;
    }

    String title() {
        return title;
    }

    ToDoubleFunction<Measurement> value() {
        return value;
    }

    String text(double figure) {
        return format.apply(figure);
    }

    /** The median, and the extremes in parentheses; a dash when it was not measured. */
    String text(Spread spread) {
        if (spread.isZero()) {
            return "–";
        }
        String median = text(spread.median());
        String range = text(spread.least()) + "–" + text(spread.most());
        return spread.least() == spread.most() ? median : median + " (" + range + ")";
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String rate(double value) {
        return value >= 100 ? whole(value) : String.format(Locale.ROOT, "%.2f", value);
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

package io.tidemark.golden.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.golden.recording.GoldenRecordings;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All of {@code golden/deviations.json}, and which of them were needed. */
public final class Deviations {
    private final List<Deviation> all;
    private final Set<String> met = ConcurrentHashMap.newKeySet();

    private Deviations(List<Deviation> all) {
        this.all = all;
    }

    public static Deviations load() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        Deviations.class.getResourceAsStream("/golden/deviations.json"))) {
            List<Deviation> all = new ArrayList<>();
            for (JsonNode row : GoldenRecordings.JSON.readTree(in)) {
                all.add(Deviation.of(row));
            }
            return new Deviations(all);
        }
    }

    /** Those that match such a row. */
    public List<Deviation> about(RowProperties facts) {
        return all.stream().filter(each -> each.isAbout(facts)).toList();
    }

    /** Records that a row differs in these ways. */
    public void markUsed(List<Deviation> deviations) {
        deviations.forEach(each -> met.add(each.name()));
    }

    /** Those that name a file in {@code seen} although no row of it needed them: remove them. */
    public List<String> unused(String file) {
        return all.stream()
                .filter(each -> each.seen().contains(file))
                .map(Deviation::name)
                .filter(name -> !met.contains(name))
                .toList();
    }
}

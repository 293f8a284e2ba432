package io.tidemark.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tidemark.bench.load.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * All measurements of a run, as JSON.
 *
 * @param began ISO-8601
 * @param settings what the run was asked for, and the machine
 * @param workloads titles by name, in the order of the run
 */
public record ResultFile(
        String began,
        Map<String, String> settings,
        Map<String, String> workloads,
        List<Measurement> measurements) {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    public void write(Path file) throws IOException {
        Files.write(file, JSON.writeValueAsBytes(this));
    }

    /**
     * @throws IOException when it cannot be read, or is not a result file
     */
    public static ResultFile read(Path file) throws IOException {
        return JSON.readValue(file.toFile(), ResultFile.class);
    }

    /** Whether a request failed, or an event did not arrive. */
    public boolean hasFailures() {
        return measurements.stream().anyMatch(each -> each.failures() > 0);
    }

    /** Targets in the order of their first measurement. */
    List<String> targets() {
        return measurements.stream().map(Measurement::target).distinct().toList();
    }

    List<Measurement> of(String workload, String target) {
        return measurements.stream()
                .filter(each -> each.workload().equals(workload) && each.target().equals(target))
                .toList();
    }
}

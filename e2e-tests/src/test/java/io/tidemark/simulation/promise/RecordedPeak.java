package io.tidemark.simulation.promise;

/** The highest use of a bounded resource. */
public record RecordedPeak(String what, long highest, long limit) {}

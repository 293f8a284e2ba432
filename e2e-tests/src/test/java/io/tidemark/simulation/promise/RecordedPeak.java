package io.tidemark.simulation.promise;

/** The fullest that something with a limit ever was. */
public record RecordedPeak(String what, long highest, long limit) {}

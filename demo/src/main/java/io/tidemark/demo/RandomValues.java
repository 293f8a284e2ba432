package io.tidemark.demo;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** Random names, ids and times in Kubernetes' formats; deterministic by seed. */
final class RandomValues {
    /** Kubernetes' alphabet, without vowels and look-alikes, so that no words appear. */
    private static final String SAFE = "bcdfghjklmnpqrstvwxz2456789";

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final SplittableRandom random;

    RandomValues(long seed) {
        random = new SplittableRandom(seed);
    }

    /** As in metadata: whole seconds. */
    static String seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** As in leases. */
    static String micros(Instant instant) {
        return MICROS.format(instant);
    }

    String uid() {
        long high = (random.nextLong() & ~0xf000L) | 0x4000L;
        long low = (random.nextLong() >>> 2) | (1L << 63);
        return new UUID(high, low).toString();
    }

    /** The random suffix that a controller appends to a name. */
    String suffix(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(SAFE.charAt(random.nextInt(SAFE.length())));
        }
        return text.toString();
    }

    String hex(int bytes) {
        byte[] array = new byte[bytes];
        random.nextBytes(array);
        return HexFormat.of().formatHex(array);
    }

    /** From 0 to below {@code bound}. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}

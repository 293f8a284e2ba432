package io.tidemark.etcd;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of the etcd server; a suffix after the three numbers ({@code -rc.0}) is ignored. */
public record EtcdVersion(int major, int minor, int patch) implements Comparable<EtcdVersion> {
    /** The oldest release line that this client supports. */
    public static final EtcdVersion OLDEST_SUPPORTED = new EtcdVersion(3, 4, 0);

    /** Of a member that reports no version: it has no feature. */
    static final EtcdVersion UNKNOWN = new EtcdVersion(0, 0, 0);

    /**
     * The first that tells its version to the role root only. The earlier ones told everybody (CVE
     * 2026-33413), so a member that denies it has this version or a later one.
     */
    static final EtcdVersion FIRST_HIDDEN = new EtcdVersion(3, 5, 28);

    private static final EtcdVersion TRUSTED_3_4 = new EtcdVersion(3, 4, 31);
    private static final EtcdVersion FIRST_3_5 = new EtcdVersion(3, 5, 0);
    private static final EtcdVersion TRUSTED_3_5 = new EtcdVersion(3, 5, 13);
    private static final Pattern NUMBERS =
            Pattern.compile("v?(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})(?:[-+].*)?");
    private static final Comparator<EtcdVersion> ORDER =
            Comparator.comparingInt(EtcdVersion::major)
                    .thenComparingInt(EtcdVersion::minor)
                    .thenComparingInt(EtcdVersion::patch);

    /** Empty when {@code text} is not a version: see {@link #UNKNOWN}. */
    public static Optional<EtcdVersion> parse(String text) {
        Matcher matcher = NUMBERS.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return Optional.of(
                new EtcdVersion(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3))));
    }

    /**
     * Up to 3.4.24 and 3.5.7 a reply to a progress request can overtake events (etcd issue 15220);
     * up to 3.4.30 and 3.5.12 it may never arrive on a quiet prefix (17507).
     */
    public ProgressSupport progressSupport() {
        boolean trusted =
                compareTo(FIRST_3_5) < 0
                        ? compareTo(TRUSTED_3_4) >= 0
                        : compareTo(TRUSTED_3_5) >= 0;
        return trusted ? ProgressSupport.MANUAL : ProgressSupport.PERIODIC;
    }

    /** The support that all of these members have. */
    public static ProgressSupport progressSupport(Collection<EtcdVersion> versions) {
        return versions.stream()
                .map(EtcdVersion::progressSupport)
                .max(Comparator.naturalOrder())
                .orElse(ProgressSupport.PERIODIC);
    }

    @Override
    public int compareTo(EtcdVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return equals(UNKNOWN) ? "unknown" : major + "." + minor + "." + patch;
    }
}

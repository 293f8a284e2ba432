package io.tidemark.local;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of etcd, ordered. */
public record EtcdVersion(int major, int minor, int patch) implements Comparable<EtcdVersion> {

    /**
     * The oldest version that is run here: the first 3.5 release whose watch progress responses are
     * correct and timely.
     */
    public static final EtcdVersion OLDEST_TRUSTED = new EtcdVersion(3, 5, 13);

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");

    private static final Comparator<EtcdVersion> ORDER =
            Comparator.comparingInt(EtcdVersion::major)
                    .thenComparingInt(EtcdVersion::minor)
                    .thenComparingInt(EtcdVersion::patch);

    /** The first version number in {@code text}, such as the output of {@code etcd --version}. */
    public static Optional<EtcdVersion> find(String text) {
        Matcher matcher = VERSION.matcher(text);
        if (!matcher.find()) {
            return Optional.empty();
        }
        return Optional.of(
                new EtcdVersion(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3))));
    }

    @Override
    public int compareTo(EtcdVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}

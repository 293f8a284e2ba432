package io.tidemark.query.catalog;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order of API versions: v2, v1, v2beta1, v1beta2, v1alpha1, then all others by name. */
public final class ApiVersions {
    private static final Pattern VERSION =
            Pattern.compile("v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?");

    /** The version that discovery prefers comes first. */
    public static final Comparator<String> PREFERRED_FIRST =
            Comparator.comparing(ApiVersions::rank)
                    .reversed()
                    .thenComparing(Comparator.naturalOrder());

    /** How far an API version has matured; an API server serves only GA versions by default. */
    enum Stage {
        ALPHA,
        BETA,
        GA
    }

    private ApiVersions() {}

    /** The stage that a version's name tells; GA for a name of another form. */
    static Stage stage(String version) {
        return switch (rank(version).stage()) {
            case 1 -> Stage.ALPHA;
            case 2 -> Stage.BETA;
            default -> Stage.GA;
        };
    }

    private static Rank rank(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return new Rank(0, 0, 0);
        }
        int major = Integer.parseInt(parts.group(1));
        String stage = parts.group(2);
        if (stage == null) {
            return new Rank(3, major, 0);
        }
        return new Rank(stage.equals("beta") ? 2 : 1, major, Integer.parseInt(parts.group(3)));
    }

    private record Rank(int stage, int major, int minor) implements Comparable<Rank> {
        @Override
        public int compareTo(Rank other) {
            return Comparator.comparingInt(Rank::stage)
                    .thenComparingInt(Rank::major)
                    .thenComparingInt(Rank::minor)
                    .compare(this, other);
        }
    }
}

package io.tidemark.query.past;

import io.tidemark.query.wire.Parameters;
import io.tidemark.serving.status.StatusErrors;
import java.time.Instant;

/**
 * Which time the paths of a request are of. A client that is given {@code http://HOST/at/-10m} as
 * its server sees that state by any request; below {@code /replay/-10m} its watches get the history
 * from then on.
 */
public sealed interface TimeBase {
    /** The present. */
    record Present() implements TimeBase {}

    /** A moment of the past, in which time stands still. */
    record At(Moment moment) implements TimeBase {}

    /**
     * The history from a moment on.
     *
     * @param speed how many seconds of the history pass in a second; above 0
     */
    record Replay(Moment from, double speed) implements TimeBase {}

    /** Where reads without a revision are answered from. */
    default Moment moment() {
        return switch (this) {
            case Present _ -> throw new IllegalStateException("the present is no moment");
            case At(Moment moment) -> moment;
            case Replay(Moment from, double _) -> from;
        };
    }

    default boolean isPresent() {
        return this instanceof Present;
    }

    /**
     * A path below its time base.
     *
     * @param path still percent-encoded; begins with a slash
     */
    record Path(TimeBase base, String path) {
        private static final String AT = "/at/";
        private static final String REPLAY = "/replay/";
        private static final String SPEED = "speed";
        private static final double SLOWEST = 0.01;
        private static final double FASTEST = 10_000;

        /**
         * Splits {@code /at/MOMENT/…} and {@code /replay/MOMENT/…}. The speed of a replay is the
         * parameter {@code speed}, or for clients that send no parameters, follows the moment:
         * {@code /replay/-10m@10/…}.
         *
         * @param rawPath from the request line
         * @param now the base of relative times
         * @throws io.tidemark.serving.status.StatusException 400 for an invalid moment or speed
         */
        public static Path parse(String rawPath, Parameters parameters, Instant now) {
            if (rawPath.startsWith(AT)) {
                String moment = segment(rawPath, AT);
                return new Path(
                        new At(Moment.parse("/at/", Parameters.decode(moment, false).utf8(), now)),
                        rest(rawPath, AT, moment));
            }
            if (rawPath.startsWith(REPLAY)) {
                String segment = segment(rawPath, REPLAY);
                String text = Parameters.decode(segment, false).utf8();
                int sign = text.lastIndexOf('@');
                String from = sign < 0 ? text : text.substring(0, sign);
                double speed =
                        sign < 0
                                ? parameters.has(SPEED) ? speed(parameters.text(SPEED)) : 1
                                : speed(text.substring(sign + 1));
                return new Path(
                        new Replay(Moment.parse("/replay/", from, now), speed),
                        rest(rawPath, REPLAY, segment));
            }
            return new Path(new Present(), rawPath);
        }

        private static String segment(String rawPath, String prefix) {
            int end = rawPath.indexOf('/', prefix.length());
            return rawPath.substring(prefix.length(), end < 0 ? rawPath.length() : end);
        }

        private static String rest(String rawPath, String prefix, String segment) {
            String rest = rawPath.substring(prefix.length() + segment.length());
            return rest.isEmpty() ? "/" : rest;
        }

        private static double speed(String text) {
            try {
                double speed = Double.parseDouble(text);
                if (speed >= SLOWEST && speed <= FASTEST) {
                    return speed;
                }
            } catch (NumberFormatException _) {
                // Refused below.
            }
            throw StatusErrors.badRequest(
                    "invalid speed: a replay passes at 0.01 to 10000 times the speed of the"
                            + " history");
        }
    }
}

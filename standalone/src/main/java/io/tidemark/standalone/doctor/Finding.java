package io.tidemark.standalone.doctor;

/**
 * One thing that was looked at.
 *
 * @param what what was found, in one line
 * @param advice what to do about it; empty when all is well
 */
public record Finding(Level level, String what, String advice) {
    public Finding {
        if (what.isBlank() || (level == Level.FAIL && advice.isBlank())) {
            throw new IllegalArgumentException(
                    "a finding says what it is, and a failure what to do");
        }
    }

    public static Finding ok(String what) {
        return new Finding(Level.OK, what, "");
    }

    public static Finding warn(String what, String advice) {
        return new Finding(Level.WARN, what, advice);
    }

    public static Finding fail(String what, String advice) {
        return new Finding(Level.FAIL, what, advice);
    }

    /** How bad it is. */
    public enum Level {
        OK,
        /** Works, but not as well as it could. */
        WARN,
        /** Tidemark does not work like this. */
        FAIL
    }
}

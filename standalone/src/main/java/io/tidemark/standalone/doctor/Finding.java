package io.tidemark.standalone.doctor;

/**
 * The result of one check.
 *
 * @param what what was found, in one line
 * @param advice how to fix it; may be empty unless the check failed
 */
public record Finding(Level level, String what, String advice) {
    public Finding {
        if (what.isBlank() || (level == Level.FAIL && advice.isBlank())) {
            throw new IllegalArgumentException("a finding needs a text, and a failure advice");
        }
    }

    /** Without advice. */
    public static Finding ok(String what) {
        return new Finding(Level.OK, what, "");
    }

    public static Finding warn(String what, String advice) {
        return new Finding(Level.WARN, what, advice);
    }

    public static Finding fail(String what, String advice) {
        return new Finding(Level.FAIL, what, advice);
    }

    /** Severity. */
    public enum Level {
        OK,
        /** Works, but not as well as it could. */
        WARN,
        /** Tidemark does not work like this. */
        FAIL
    }
}

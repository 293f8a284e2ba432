package io.tidemark.connector.topic;

/**
 * A setting of a topic that is not as it should be.
 *
 * @param dangerous whether the mirror would be damaged by it, so that nothing may be written
 * @param why what it would do
 * @param fix a command that mends it; empty when none does
 */
public record TopicFinding(
        String topic,
        String setting,
        String actual,
        String wanted,
        boolean dangerous,
        String why,
        String fix) {
    /** One line for people. */
    public String line() {
        return "topic %s: %s is %s, wanted %s: %s%s"
                .formatted(
                        topic, setting, actual, wanted, why, fix.isEmpty() ? "" : "; fix: " + fix);
    }
}

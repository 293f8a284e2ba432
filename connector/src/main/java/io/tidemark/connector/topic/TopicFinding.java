package io.tidemark.connector.topic;

/**
 * A topic setting that differs from the required or recommended value.
 *
 * @param dangerous whether it would corrupt or stop the mirror, so that nothing may be written
 * @param why its consequence
 * @param fix a command that corrects it; empty when there is none
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

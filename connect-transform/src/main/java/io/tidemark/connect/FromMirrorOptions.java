package io.tidemark.connect;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * The options of {@link FromMirror}.
 *
 * @param form what a put becomes
 * @param jsonText whether that is written as JSON text
 * @param keyPrefixes keys to let through; empty for all
 * @param cloudEvents whether to add the headers of CloudEvents
 * @param cloudEventsSource the events' source; empty for {@code /} and the topic
 * @param skipMalformed whether to skip and log a record that breaks the format, or to fail
 */
record FromMirrorOptions(
        Form form,
        boolean jsonText,
        List<String> keyPrefixes,
        boolean cloudEvents,
        String cloudEventsSource,
        boolean skipMalformed) {

    /** What a put becomes. */
    enum Form {
        ROW,
        DOCUMENT,
        ENVELOPE
    }

    private static final String FORM = "form";
    private static final String JSON_TEXT = "json.text";
    private static final String KEY_PREFIXES = "key.prefixes";
    private static final String CLOUD_EVENTS = "cloudevents";
    private static final String CLOUD_EVENTS_SOURCE = "cloudevents.source";
    private static final String MALFORMED = "malformed";

    static final ConfigDef DEFINITION =
            new ConfigDef()
                    .define(
                            FORM,
                            Type.STRING,
                            "row",
                            ConfigDef.ValidString.in("row", "document", "envelope"),
                            Importance.HIGH,
                            "What a put becomes: a row with a schema, for JDBC and Iceberg sinks;"
                                + " the object as a document without a schema, for Elasticsearch"
                                + " and file sinks; or Debezium's envelope around the row, for a"
                                + " delete too. In the other forms a delete is a tombstone.")
                    .define(
                            JSON_TEXT,
                            Type.BOOLEAN,
                            false,
                            Importance.MEDIUM,
                            "Whether the value is JSON text, for sinks that use no converter, such"
                                    + " as the file sink.")
                    .define(
                            KEY_PREFIXES,
                            Type.LIST,
                            List.of(),
                            ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                            Importance.MEDIUM,
                            "Prefixes of the etcd keys to let through, such as /registry/pods/."
                                    + " Empty lets all through.")
                    .define(
                            CLOUD_EVENTS,
                            Type.BOOLEAN,
                            false,
                            Importance.LOW,
                            "Whether to add the headers of CloudEvents 1.0, ce_id and others.")
                    .define(
                            CLOUD_EVENTS_SOURCE,
                            Type.STRING,
                            "",
                            Importance.LOW,
                            "The header ce_source. Empty: a slash and the topic.")
                    .define(
                            MALFORMED,
                            Type.STRING,
                            "skip",
                            ConfigDef.ValidString.in("skip", "fail"),
                            Importance.LOW,
                            "Whether to skip a record that breaks the topic's format, with a line"
                                    + " in the log, or to fail, which errors.tolerance of the"
                                    + " connector then handles. A record of a newer format always"
                                    + " fails.");

    /**
     * Reads the options.
     *
     * @throws org.apache.kafka.common.config.ConfigException with the option that is wrong
     */
    static FromMirrorOptions of(Map<String, ?> options) {
        AbstractConfig config = new AbstractConfig(DEFINITION, options, false);
        return new FromMirrorOptions(
                Form.valueOf(config.getString(FORM).toUpperCase(Locale.ROOT)),
                config.getBoolean(JSON_TEXT),
                config.getList(KEY_PREFIXES),
                config.getBoolean(CLOUD_EVENTS),
                config.getString(CLOUD_EVENTS_SOURCE),
                config.getString(MALFORMED).equals("skip"));
    }
}

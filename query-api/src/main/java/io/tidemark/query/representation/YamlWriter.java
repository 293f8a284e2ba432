package io.tidemark.query.representation;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.json.GoNumbers;
import io.tidemark.query.json.GoJson;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.emitter.Emitter;
import org.yaml.snakeyaml.events.DocumentEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ImplicitTuple;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.events.StreamStartEvent;

/**
 * Writes JSON trees as YAML like the API server: blocks, sorted members, strings plain unless they
 * would parse as another type. The output can be taken at any time.
 */
public final class YamlWriter {
    private final StringWriter out = new StringWriter();
    private final Emitter emitter;

    YamlWriter() {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setSplitLines(true);
        options.setWidth(80);
        emitter = new Emitter(out, options);
        emit(new StreamStartEvent(null, null));
        emit(new DocumentStartEvent(null, null, false, null, null));
    }

    /**
     * @param json one JSON document
     * @throws java.io.UncheckedIOException when it is invalid
     */
    public static byte[] document(byte[] json) {
        YamlWriter writer = new YamlWriter();
        writer.value(GoJson.read(json));
        writer.end();
        return writer.taken();
    }

    static List<String> sortedNames(JsonNode object) {
        // Not a sort of the JDK's: it may refuse an order that is not transitive.
        Set<String> names = new TreeSet<>(YamlOrder.NAMES);
        object.fieldNames().forEachRemaining(names::add);
        return List.copyOf(names);
    }

    /** The output since the last call; the newest event may still be missing. */
    byte[] taken() {
        byte[] taken = UnicodeLineSeparators.shown(out.toString()).getBytes(StandardCharsets.UTF_8);
        out.getBuffer().setLength(0);
        return taken;
    }

    void startMapping() {
        emit(new MappingStartEvent(null, null, true, null, null, FlowStyle.BLOCK));
    }

    void endMapping() {
        emit(new MappingEndEvent(null, null));
    }

    void startSequence() {
        emit(new SequenceStartEvent(null, null, true, null, null, FlowStyle.BLOCK));
    }

    void endSequence() {
        emit(new SequenceEndEvent(null, null));
    }

    void name(String name) {
        text(name);
    }

    void end() {
        emit(new DocumentEndEvent(null, null, false));
        emit(new StreamEndEvent(null, null));
    }

    void value(JsonNode value) {
        switch (value.getNodeType()) {
            case OBJECT -> {
                startMapping();
                for (String name : sortedNames(value)) {
                    text(name);
                    value(value.path(name));
                }
                endMapping();
            }
            case ARRAY -> {
                startSequence();
                value.forEach(this::value);
                endSequence();
            }
            case STRING -> text(value.textValue());
            case NUMBER -> scalar(number(value), ScalarStyle.PLAIN);
            case BOOLEAN -> scalar(value.asText(), ScalarStyle.PLAIN);
            case NULL, MISSING, BINARY, POJO -> scalar("null", ScalarStyle.PLAIN);
        }
    }

    /** What exceeds 64 bits is a double to Go. */
    private static String number(JsonNode value) {
        boolean fits = value.isIntegralNumber() && fits(value.bigIntegerValue());
        return fits || !Double.isFinite(value.doubleValue())
                ? value.asText()
                : GoNumbers.general(value.doubleValue());
    }

    private static boolean fits(BigInteger integer) {
        return integer.bitLength() <= (integer.signum() < 0 ? 63 : 64);
    }

    private void text(String text) {
        if (UnicodeLineSeparators.in(text) && UnicodeLineSeparators.areReadable(text)) {
            scalar(UnicodeLineSeparators.hidden(text), ScalarStyle.SINGLE_QUOTED);
        } else {
            scalar(text, style(text));
        }
    }

    private static ScalarStyle style(String text) {
        if (UnicodeLineSeparators.in(text) || text.indexOf(0x85) >= 0) {
            return ScalarStyle.DOUBLE_QUOTED; // Only double quotes preserve them.
        }
        if (text.indexOf('\n') >= 0) {
            return ScalarStyle.LITERAL;
        }
        return YamlScalars.needsQuotes(text) ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.PLAIN;
    }

    private void scalar(String text, ScalarStyle style) {
        emit(new ScalarEvent(null, null, new ImplicitTuple(true, true), text, null, null, style));
    }

    private void emit(Event event) {
        try {
            emitter.emit(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

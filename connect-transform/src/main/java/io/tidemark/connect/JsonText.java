package io.tidemark.connect;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * A value as JSON text, for sinks that write what they get without a converter. Without fields that
 * are null; bytes are Base64, times milliseconds since 1970, as Connect's JSON converter writes
 * them.
 */
final class JsonText {
    private JsonText() {}

    static String of(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = ObjectJson.FACTORY.createGenerator(text)) {
            write(value, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(@Nullable Object value, JsonGenerator out) throws IOException {
        switch (value) {
            case null -> out.writeNull();
            case Struct struct -> {
                out.writeStartObject();
                for (Field field : struct.schema().fields()) {
                    if (struct.get(field) != null) {
                        out.writeFieldName(field.name());
                        write(struct.get(field), out);
                    }
                }
                out.writeEndObject();
            }
            case Map<?, ?> map -> {
                out.writeStartObject();
                for (Map.Entry<?, ?> member : map.entrySet()) {
                    out.writeFieldName(String.valueOf(member.getKey()));
                    write(member.getValue(), out);
                }
                out.writeEndObject();
            }
            case List<?> list -> {
                out.writeStartArray();
                for (Object element : list) {
                    write(element, out);
                }
                out.writeEndArray();
            }
            case String text -> out.writeString(text);
            case Long number -> out.writeNumber(number);
            case Integer number -> out.writeNumber(number);
            case Double number -> out.writeNumber(number);
            case Boolean bool -> out.writeBoolean(bool);
            case Date time -> out.writeNumber(time.getTime());
            case byte[] bytes -> out.writeBinary(bytes);
            default -> throw new IllegalStateException("no JSON for " + value.getClass());
        }
    }
}

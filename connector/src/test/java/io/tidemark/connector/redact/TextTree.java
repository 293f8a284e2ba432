package io.tidemark.connector.redact;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A JSON value as a tree that keeps duplicate members, read by Jackson. */
sealed interface TextTree {
    /** A number, a literal, or a string in quotes without escapes. */
    record Scalar(String text) implements TextTree {}

    /** A member, duplicates included. */
    record Member(String name, TextTree value) {}

    record Members(List<Member> all) implements TextTree {}

    record Elements(List<TextTree> all) implements TextTree {}

    static TextTree read(Bytes json) {
        try (JsonParser parser = new JsonFactory().createParser(json.array())) {
            parser.nextToken();
            TextTree tree = value(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("more than one value");
            }
            return tree;
        } catch (IOException e) {
            throw new IllegalArgumentException(json.utf8(), e);
        }
    }

    private static TextTree value(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            List<Member> members = new ArrayList<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                members.add(new Member(name, value(parser)));
            }
            return new Members(members);
        }
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            List<TextTree> elements = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(value(parser));
            }
            return new Elements(elements);
        }
        boolean string = parser.currentToken() == JsonToken.VALUE_STRING;
        return new Scalar(string ? '"' + parser.getText() + '"' : parser.getText());
    }
}

package io.tidemark.golden.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.golden.recording.GoldenRecordings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditTest {
    @ParameterizedTest(name = "{0}: {1} becomes {3}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'at':'/r/*','drop':{'n':'/'}}      | {'r':[{'n':'a'},{'n':'a/b'}]} | {}          "
                        + "    | {'r':[{'n':'a'}]}",
                "{'at':'/r/*/s','drop':{}}           | {'r':[{'n':'a','s':[1]}]}     | {}          "
                        + "    | {'r':[{'n':'a'}]}",
                "{'at':'/l/*','drop':{'':'^b'}}      | {'l':['ab','ba']}             | {}          "
                        + "    | {'l':['ab']}",
                "{'at':'/v','keep':['get','list']}   | {'v':['delete','get','list']} | {}          "
                        + "    | {'v':['get','list']}",
                "{'at':'/a/b','put':2}               | {'a':{'b':1}}                 | {}          "
                        + "    | {'a':{'b':2}}",
                "{'at':'/t','replace':'x+','with':'y'} | {'t':'axxb'}                | {}          "
                        + "    | {'t':'ayb'}",
                "{'at':'/p','subset':'^own'}         | {'p':['a','b']}               |"
                        + " {'p':['own','b']} | {'p':['own','b']}",
                "{'at':'/p','subset':'^own'}         | {'p':['a','b']}               | {'p':['c']} "
                        + "    | {'p':['a','b']}",
                "{'at':'/p','subset':'^$'}           | {'p':{'a':1,'b':2}}           |"
                        + " {'p':{'b':3}}   | {'p':{'b':2}}",
                "{'at':'/n','atLeast':true}          | {'n':'5'}                     | {'n':'6'}   "
                        + "    | {'n':'6'}",
                "{'at':'/n','atLeast':true}          | {'n':'5'}                     | {'n':'4'}   "
                        + "    | {'n':'5'}",
                "{'at':'/t','like':'v.*'}            | {'t':'v1'}                    | {'t':'v2'}  "
                        + "    | {'t':'v2'}",
                "{'at':'/t','like':'v.*'}            | {'t':'v1'}                    | {'t':'w'}   "
                        + "    | {'t':'v1'}",
                "{'at':'/l','upTo':'^b'}             | {'l':['a','b','c']}           |"
                        + " {'l':['x','y','z']} | {'l':['a','b','z']}",
                "{'at':'/n','in':{'k':'A'},'put':2}  | {'k':'B','n':1}               | {}          "
                        + "    | {'k':'B','n':1}",
            })
    void changesWhatWasRecorded(String edit, String recorded, String answered, String expected)
            throws Exception {
        JsonNode document = json(recorded);

        Edit.of(json(edit)).apply(document, json(answered));

        assertThat(document).isEqualTo(json(expected));
    }

    private static JsonNode json(String text) throws Exception {
        return GoldenRecordings.JSON.readTree(text.replace('\'', '"'));
    }
}

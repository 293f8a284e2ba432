package io.tidemark.kubernetes.structural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.json.JsonTooLargeException;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CustomResourcesTest {
    private static final String META = "\"generation\":1,\"name\":\"w\"";

    @Test
    void dropsUnknownMembers() {
        assertThat(
                        spec(
                                "{'a':{'type':'object','properties':{'b':{'type':'string'}}}}",
                                "{'a':{'b':'x','c':1},'d':{}}"))
                .isEqualTo("{'a':{'b':'x'}}");
    }

    @Test
    void prunesBelowAPreservingSchemaOnlyMembersWithASchema() {
        assertThat(
                        spec(
                                "{'a':{'x-kubernetes-preserve-unknown-fields':true,"
                                        + "'properties':{'known':{'properties':{'k':{}}}}}}",
                                "{'a':{'any':[{'x':1}],'known':{'k':1,'l':2}}}"))
                .isEqualTo("{'a':{'any':[{'x':1}],'known':{'k':1}}}");
    }

    @Test
    void additionalPropertiesKeepTheNamesAndPruneTheValues() {
        assertThat(
                        spec(
                                "{'map':{'additionalProperties':{'properties':{'a':{}}}},"
                                        + "'any':{'additionalProperties':true}}",
                                "{'map':{'x':{'a':1,'b':2},'y':3},'any':{'z':{'gone':1},'n':1}}"))
                .isEqualTo("{'any':{'n':1,'z':{}},'map':{'x':{'a':1},'y':3}}");
    }

    @Test
    void listsArePrunedElementByElement() {
        assertThat(
                        spec(
                                "{'list':{'items':{'properties':{'a':{}}}},'bare':{}}",
                                "{'list':[{'a':1,'b':2},3,[{'c':4}]],'bare':[{'c':4},5]}"))
                .isEqualTo("{'bare':[{},5],'list':[{'a':1},3,[{}]]}");
    }

    @Test
    void setsDefaultsWhereAMemberIsMissing() {
        assertThat(
                        spec(
                                "{'size':{'default':3},'deep':{'default':{},'properties':"
                                        + "{'mode':{'default':'fast'}}},'list':{'items':"
                                        + "{'properties':{'on':{'default':true}}}}}",
                                "{'list':[{},{'on':false}]}"))
                .isEqualTo("{'deep':{'mode':'fast'},'list':[{'on':true},{'on':false}],'size':3}");
    }

    @Test
    void dropsOrReplacesNullsUnlessNullable() {
        assertThat(
                        spec(
                                "{'plain':{},'nullable':{'nullable':true},'filled':{'default':1},"
                                        + "'both':{'nullable':true,'default':1}}",
                                "{'plain':null,'nullable':null,'filled':null,'both':null}"))
                .isEqualTo("{'both':null,'filled':1,'nullable':null}");
    }

    @Test
    void metadataOfEmbeddedObjectsIsCleaned() {
        assertThat(
                        spec(
                                "{'pod':{'x-kubernetes-embedded-resource':true,"
                                        + "'x-kubernetes-preserve-unknown-fields':true}}",
                                "{'pod':{'apiVersion':'v1','kind':3,'metadata':"
                                        + "{'name':'p','odd':1,'labels':{}},'spec':{}}}"))
                .isEqualTo("{'pod':{'apiVersion':'v1','metadata':{'name':'p'},'spec':{}}}");
    }

    @Test
    void metadataOfTheObjectIsCleaned() {
        String stored =
                "{'kind':'W','apiVersion':'g/v1','metadata':{'name':'w','odd':1,'labels':{},"
                        + "'annotations':null,'finalizers':['f'],'generation':7,'uid':5}}";

        assertThat(served(resource("{}"), stored, 12))
                .isEqualTo(
                        "{'apiVersion':'g/v1','kind':'W','metadata':{'finalizers':['f'],"
                                + "'generation':7,'name':'w','resourceVersion':'12'}}");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "-7, -7",
        "9223372036854775807, 9223372036854775807",
        "9223372036854775808, 9223372036854776000",
        "1.0, 1",
        "2.50, 2.5",
        "1e3, 1000",
        "1e20, 100000000000000000000",
        "1e21, 1e+21",
        "1e-6, 0.000001",
        "1e-7, 1e-7",
        "-0.0, 0",
        "-0, 0",
        "12345678901234567, 12345678901234567"
    })
    void reprintsNumbers(String stored, String expected) {
        assertThat(spec("{'n':{}}", "{'n':" + stored + "}")).isEqualTo("{'n':" + expected + "}");
    }

    @Test
    void stringsAreEscapedAsGoDoes() {
        assertThat(spec("{'s':{}}", "{'s':'<b>&\\u2028\\u007f\\ufeff\\ud800é'}"))
                .isEqualTo("{'s':'\\u003cb\\u003e\\u0026\\u2028\u007f\ufeff\ufffdé'}");
    }

    @Test
    void membersAreSortedByTheirBytes() {
        assertThat(
                        spec(
                                "{'m':{'additionalProperties':{}}}",
                                "{'m':{'b':1,'a':2,'😀':3,'\uffff':4,'B':5,'':6,'ab':7}}"))
                .isEqualTo("{'m':{'':6,'B':5,'a':2,'ab':7,'b':1,'\uffff':4,'😀':3}}");
    }

    @Test
    void anotherVersionHasItsOwnSchema() {
        CustomResources resource =
                compile(
                        "[{'name':'v1','schema':{'openAPIV3Schema':{'properties':{'a':{},'b':{},"
                                + "'d':{'default':1}}}}},"
                                + "{'name':'v2','schema':{'openAPIV3Schema':{'properties':{'a':{},"
                                + "'d':{},'e':{'default':2}}}}}]",
                        "");
        byte[] stored = utf8("{'apiVersion':'g/v1','kind':'W','a':1,'b':2,'c':3}");

        assertThat(quoted(resource.served(stored, 0)))
                .isEqualTo("{'a':1,'apiVersion':'g/v1','b':2,'d':1,'kind':'W'}");
        assertThat(resource.served(stored, "v2", 0).map(CustomResourcesTest::quoted))
                .contains("{'a':1,'apiVersion':'g/v2','d':1,'kind':'W'}");
        assertThat(resource.served(stored, "v3", 0)).isEmpty();
    }

    @Test
    void servesOnlyTheStoredVersionWithAWebhook() {
        CustomResources resource =
                compile("[{'name':'v1'},{'name':'v2'}]", ",'conversion':{'strategy':'Webhook'}");
        byte[] stored = utf8("{'apiVersion':'g/v1','kind':'W'}");

        assertThat(resource.served(stored, "v1", 0)).isPresent();
        assertThat(resource.served(stored, "v2", 0)).isEmpty();
    }

    @Test
    void prunesNothingWithPreserveUnknownFields() {
        CustomResources resource = compile("[{'name':'v1'}]", ",'preserveUnknownFields':true");

        assertThat(served(resource, "{'apiVersion':'g/v1','kind':'W','x':{'y':null}}", 0))
                .isEqualTo("{'apiVersion':'g/v1','kind':'W','x':{'y':null}}");
    }

    @Test
    void reportsWhenStoredBytesCanBeServed() {
        assertThat(
                        compile(
                                        "[{'name':'v1','schema':{'openAPIV3Schema':"
                                            + "{'x-kubernetes-preserve-unknown-fields':true}}}]",
                                        "")
                                .servesAsStored("v1"))
                .isTrue();
        assertThat(resource("{}").servesAsStored("v1")).isFalse();
        assertThat(resource("{}").servesAsStored("v2")).isFalse();
    }

    @Test
    void reportsVersionsWithASchema() {
        assertThat(resource("{}").declares("v1")).isTrue();
        assertThat(resource("{}").declares("v2")).isFalse();
        assertThat(compile("[{'name':'v1'}]", "").declares("v1")).isFalse();
    }

    @Test
    void refusesTooDeepNesting() {
        CustomResources resource = compile("[{'name':'v1'}]", ",'preserveUnknownFields':true");
        String deep = "{'a':" + "[".repeat(1000) + "]".repeat(1000) + "}";

        assertThatExceptionOfType(MalformedJsonException.class)
                .isThrownBy(() -> resource.served(utf8(deep), 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "1", "{", "{} {}", "{'a':1e999}"})
    void refusesOtherThanObjects(String stored) {
        CustomResources resource = compile("[{'name':'v1'}]", ",'preserveUnknownFields':true");

        assertThatExceptionOfType(MalformedJsonException.class)
                .isThrownBy(() -> resource.served(utf8(stored), 1));
    }

    @Test
    void defaultsStopAtTheLimit() {
        String large = "x".repeat(1000);
        CustomResources resource =
                compile(
                        "[{'name':'v1','schema':{'openAPIV3Schema':{'properties':{'list':{'items':"
                                + "{'properties':{'a':{'default':'"
                                + large
                                + "'}}}}}}}}]",
                        "");
        byte[] stored = utf8("{'apiVersion':'g/v1','list':[" + "{},".repeat(200) + "{}]}");

        assertThatExceptionOfType(JsonTooLargeException.class)
                .isThrownBy(() -> resource.served(stored, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void servesOrRefusesAnyMutation(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CustomResources resource = resource("{'a':{'default':{}},'list':{'items':{}}}");
        byte[] start =
                utf8(
                        "{'apiVersion':'g/v1','kind':'W','metadata':{'name':'w','labels':{'a':'b'}},"
                            + "'a':{'b':[1,2.5e3,null]},'list':[{'x':'\\u00e9'},{}]}");
        for (int round = 0; round < 5_000; round++) {
            byte[] stored = start.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                stored[random.nextInt(stored.length)] = (byte) random.nextInt(256);
            }
            try {
                resource.served(stored, 1);
            } catch (MalformedJsonException e) {
                assertThat(e).hasMessageContaining("not JSON");
            }
        }
    }

    /** The spec of an object, served with this schema of its spec; JSON with single quotes. */
    private static String spec(String properties, String spec) {
        CustomResources resource = resource("{'spec':{'properties':" + properties + "}}");
        String stored =
                "{'apiVersion':'g/v1','kind':'W','metadata':{'name':'w'},'spec':" + spec + "}";
        String json = served(resource, stored, 0);
        String before =
                "{'apiVersion':'g/v1','kind':'W','metadata':{"
                        + META.replace('"', '\'')
                        + "},'spec':";
        assertThat(json).startsWith(before);
        return json.substring(before.length(), json.length() - 1);
    }

    private static CustomResources resource(String properties) {
        return compile(
                "[{'name':'v1','schema':{'openAPIV3Schema':{'properties':" + properties + "}}}]",
                "");
    }

    private static CustomResources compile(String versions, String more) {
        String definition =
                "{'spec':{'group':'g','names':{'kind':'W'},'versions':" + versions + more + "}}";
        return CustomResources.compile(Bytes.wrap(utf8(definition)), 100_000);
    }

    private static String served(CustomResources resource, String stored, long resourceVersion) {
        return quoted(resource.served(utf8(stored), resourceVersion));
    }

    private static byte[] utf8(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static String quoted(Bytes json) {
        return json.utf8().replace('"', '\'');
    }
}

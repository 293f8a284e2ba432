package io.tidemark.connector.redact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.json.JsonTooLargeException;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.record.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {
    private static final List<Bytes> ROOTS =
            List.of(Bytes.utf8("/registry/"), Bytes.utf8("/kubernetes.io/"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "configmaps      | /registry/configmaps/ns/x",
                "configmaps      | /kubernetes.io/configmaps/ns/x",
                "configmaps      | /registry//ConfigMaps//ns/x",
                "nodes           | /registry/minions/x",
                "services        | /registry/services/specs/ns/x",
                "services        | /registry/services//specs/ns/x",
                "endpoints       | /registry/services/endpoints/ns/x",
                "ingresses       | /registry/ingress/ns/x",
                "replicationcontrollers | /registry/controllers/ns/x",
                "deployments     | /registry/deployments/ns/x",
                "deployments.apps | /registry/deployments/ns/x",
                "ingresses.networking.k8s.io | /registry/ingress/ns/x",
                "apiservices.apiregistration.k8s.io"
                        + " | /registry/apiregistration.k8s.io/apiservices/x",
                "widgets.example.com | /registry/example.com/widgets/ns/x",
                "widgets.a.example.com | /kubernetes.io/a.example.com/widgets/x"
            })
    void findsAResourceByItsKey(String resource, String key) {
        assertThat(redactor(resource + "=.spec").ofKey(Bytes.utf8(key))).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "configmaps          | /registry/configmaps",
                "configmaps          | /registry/configmapsx/ns/x",
                "configmaps          | /registry/example.com/configmaps/ns/x",
                "configmaps          | /registry/pods/configmaps/x",
                "configmaps          | /other/configmaps/ns/x",
                "services            | /registry/services/endpoints/ns/x",
                "services.example.com | /registry/services/specs/ns/x",
                "widgets.example.com | /registry/widgets/ns/x",
                "widgets.example.com | /registry/example.org/widgets/ns/x"
            })
    void findsNoOtherKeys(String resource, String key) {
        assertThat(redactor(resource + "=.spec").ofKey(Bytes.utf8(key))).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "configmaps          | v1                   | ConfigMap",
                "configmaps          | v1                   | ConfigMapList",
                "configmaps          | v1                   | C\\u006fnfigMap",
                "endpoints           | v1                   | Endpoints",
                "deployments         | apps/v1              | Deployment",
                "deployments.apps    | apps/v1              | Deployment",
                "ingresses           | networking.k8s.io/v1 | Ingress",
                "networkpolicies     | networking.k8s.io/v1 | NetworkPolicy",
                "gateways.gateway.networking.k8s.io" + " | gateway.networking.k8s.io/v1 | Gateway",
                "widgets.example.com | example.com/v1beta1  | Widget",
                "widgets.example.com | example\\u002ecom/v1 | Widget"
            })
    void findsAResourceByItsKind(String resource, String apiVersion, String kind) {
        Bytes json = typed(apiVersion, kind);
        Redactor redactor = redactor("pods=.x", resource + "=.spec");
        long bit = resource.compareTo("pods") < 0 ? 1 : 2;
        assertThat(redactor.ofObject(json)).isEqualTo(bit);
        assertThat(redactor.ofValue(json)).isEqualTo(bit);
        assertThat(redactor.ofValue(json.slice(0, json.length() - 20))).isEqualTo(bit);
        assertThat(redactor("pods=.x").ofObject(json)).isZero();
    }

    private static Bytes typed(String apiVersion, String kind) {
        return Bytes.utf8(
                "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"x\"}}"
                        .formatted(apiVersion, kind));
    }

    @Test
    void aKindOfAnotherGroupIsAnotherResource() {
        assertThat(redactor("configmaps=.x").ofObject(typed("example.com/v1", "ConfigMap")))
                .isZero();
        assertThat(redactor("deployments.apps=.x").ofObject(typed("v1", "Deployment"))).isZero();
        assertThat(redactor("widgets.example.com=.x").ofObject(typed("example.org/v1", "Widget")))
                .isZero();
    }

    @Test
    void findsAllKindsInAList() {
        Bytes list =
                Bytes.utf8(
                        "{\"items\":[%s,%s],\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"x\"}}"
                                .formatted(
                                        typed("v1", "Pod").utf8(),
                                        typed("v1", "ConfigMap").utf8()));
        assertThat(redactor("configmaps=.x", "pods=.x", "nodes=.x").ofObject(list))
                .isEqualTo(0b101);
    }

    /** Cases: rules, an object, the object as it is mirrored. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".data.p | {'data':{'p':'s','q':'t'}} | {'data':{'p':'redacted','q':'t'}}",
                ".data.p | {'data':{'p':1,'p':[2],'p':null}}"
                        + " | {'data':{'p':'redacted','p':'redacted','p':'redacted'}}",
                ".data.p | {'data':{'\\u0070':'s'}} | {'data':{'\\u0070':'redacted'}}",
                ".data.p | {'d\\u0061ta':{'p':{'a':'}'}}} | {'d\\u0061ta':{'p':'redacted'}}",
                ".data.p | {'data':{'x':1},'data':{'p':'s'}}"
                        + " | {'data':{'x':1},'data':{'p':'redacted'}}",
                ".data.p | {'data':['p'],'p':'s'} | {'data':['p'],'p':'s'}",
                ".data.p | {'Data':{'p':'s'},'data':{'P':'s'}}"
                        + " | {'Data':{'p':'s'},'data':{'P':'s'}}",
                ".data | {'data':{'p':[{}]},'x':true} | {'data':'redacted','x':true}",
                ".data[*] | {'data':{'p':1,'q':{}}} | {'data':{'p':'redacted','q':'redacted'}}",
                ".data[*] | {'data':[1,[2],{'a':3}]}"
                        + " | {'data':['redacted','redacted','redacted']}",
                ".c[*].env[*].value | {'c':[{'env':[{'name':'n','value':'s'},{'name':'m'}]},1]}"
                        + " | {'c':[{'env':[{'name':'n','value':'redacted'},{'name':'m'}]},1]}",
                ".a['b.c'],.a | {'a':{'b.c':1}} | {'a':'redacted'}",
                ".x | {'metadata':{'managedFields':[{'fieldsV1':{'v:s':{}}}],'name':'n'}}"
                        + " | {'metadata':{'managedFields':[],'name':'n'}}",
                ".x | {'metadata':{'annotations':{'a':'b',"
                        + "'kubectl.kubernetes.io/last-applied-configuration':'{s}'}}}"
                        + " | {'metadata':{'annotations':{'a':'b',"
                        + "'kubectl.kubernetes.io/last-applied-configuration':'redacted'}}}",
                ".data.p | {'items':[{'data':{'p':'s'}},{'items':[{'data':{'p':'t'}}]}]}"
                        + " | {'items':[{'data':{'p':'redacted'}},"
                        + "{'items':[{'data':{'p':'redacted'}}]}]}"
            })
    void replacesValues(String paths, String before, String after) {
        Redactor redactor = redactor("configmaps=" + paths);
        assertThat(redactor.redacted(1, json(before), 1 << 20).utf8())
                .isEqualTo(json(after).utf8());
    }

    private static Bytes json(String text) {
        return Bytes.utf8(text.strip().replace('\'', '"'));
    }

    @Test
    void returnsTheSameObjectWhenNothingIsReplaced() {
        Bytes json = json("{'metadata':{'name':'p'},'x':[{'data':{'p':1}}]}");
        assertThat(redactor("configmaps=.data.p").redacted(1, json, 10)).isSameAs(json);
    }

    @Test
    void deepAndWideObjectsAreRedactedOrRefused() {
        Redactor redactor = redactor("configmaps=.a[*]");
        Bytes deep = json("{'a':[" + "[".repeat(900) + "]".repeat(900) + "],'b':1}");
        assertThat(redactor.redacted(1, deep, 1 << 20).utf8())
                .isEqualTo(json("{'a':['redacted'],'b':1}").utf8());
        assertThatThrownBy(() ->
                        redactor.redacted(
                                1,
                                json("{'a':" + "[".repeat(2_000) + "]".repeat(2_000) + "}"),
                                1 << 20))
                .isInstanceOf(MalformedJsonException.class);
        Bytes wide = json("{'a':[" + "1,".repeat(200_000) + "1]}");
        assertThat(redactor.redacted(1, wide, 4 << 20).length()).isEqualTo(8 + 11 * 200_001 - 1);
        assertThatThrownBy(() -> redactor.redacted(1, wide, 1 << 20))
                .isInstanceOf(JsonTooLargeException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"a\":[1,}", "{\"a\":1} x", "{\"a\":\"\u0001\"}", "{'a':1}"})
    void refusesWhatIsNoJson(String text) {
        assertThatThrownBy(() -> redactor("configmaps=.a").redacted(1, Bytes.utf8(text), 1 << 20))
                .isInstanceOf(MalformedJsonException.class);
    }

    private static Redactor redactor(String... rules) {
        return new Redactor(RedactionRules.parse(List.of(rules)), ROOTS);
    }
}

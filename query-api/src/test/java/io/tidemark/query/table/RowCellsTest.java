package io.tidemark.query.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of kinds that no recorded cluster has, as kubectl prints them. */
class RowCellsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
    private static final List<Resource> ALL = BuiltInResources.all(Bytes.EMPTY);

    /** JSON has single quotes. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "clustertrustbundles | {'spec':{'signerName':'a.b/c'}} | o,a.b/c",
                "clustertrustbundles | {'spec':{}} | o,<none>",
                "podcertificaterequests | {'spec':{'podName':'p','serviceAccountName':'s',"
                        + "'nodeName':'n','signerName':'a.b/c'}} | o,p,s,n,a.b/c,Pending,<none>",
                "podcertificaterequests | {'spec':{'unverifiedUserAnnotations':{'b':'2','a':'1'}},"
                        + "'status':{'conditions':[{'type':'Other','status':'True'},"
                        + "{'type':'Denied','status':'True'}]}} | o,,,,,Denied,a=1,b=2",
                "v1/persistentvolumes | {'spec':{'volumeAttributesClassName':''}}"
                        + " | o,0,,,,,,,,60m,<unset>",
                "v1/persistentvolumes | {'spec':{'volumeAttributesClassName':null}}"
                        + " | o,0,,,,,,<unset>,,60m,<unset>",
                "leasecandidates | {'spec':{'leaseName':'l','binaryVersion':'1.36.0',"
                        + "'emulationVersion':'1.35.0'}} | o,l,1.36.0,1.35.0,60m",
                "storageversions | {'spec':{},'status':{}} | o,<unset>,<unset>,60m",
                "storageversions | {'status':{'commonEncodingVersion':'v1','storageVersions':["
                        + "{'apiServerID':'a','encodingVersion':'v1'}]}} | o,v1,a=v1,60m",
                "storageversions | {'status':{'storageVersions':["
                        + "{'apiServerID':'a','encodingVersion':'v1'},{'apiServerID':'b'},"
                        + "{},{'apiServerID':'d'},{}]}} | o,<unset>,a=v1,b=,= + 2 more...,60m",
                "storageversionmigrations | {'spec':{'resource':{'resource':'pods'}}}"
                        + " | o,pods,Unknown",
                "storageversionmigrations | {'spec':{'resource':{'group':'apps',"
                        + "'resource':'deployments'}},'status':{'conditions':["
                        + "{'type':'Running','status':'True'},{'type':'Succeeded','status':'True'},"
                        + "{'type':'Failed','status':'False'}]}} | o,deployments.apps,Succeeded",
                "v1alpha1/storageversionmigrations | {'spec':{'resource':{'group':'apps',"
                        + "'version':'v1','resource':'deployments'}}} | o,deployments.v1.apps",
                "v1alpha1/storageversionmigrations | {'spec':{'resource':{'version':'v1',"
                        + "'resource':'pods'}}} | o,pods.v1.",
                "podschedulingcontexts | {'spec':{'selectedNode':'n'}} | o,n,60m",
                "v1alpha1/podcertificaterequests | {'status':{'conditions':[{'type':'Issued'}]}}"
                        + " | o,,,,,Issued",
                "devicetaintrules | {'spec':{'taint':{'key':'k','value':'v','effect':'NoExecute',"
                        + "'timeAdded':'2026-01-01T00:30:00Z'}}} | o,k,v,NoExecute,30m,60m",
                "devicetaintrules | {'spec':{'taint':{'key':'k','effect':'None'}}}"
                        + " | o,k,,None,,60m",
                "resourcepoolstatusrequests | {'spec':{'driver':'d'}}"
                        + " | o,d,-,-,-,-,-,0,Pending,<none>",
                "resourcepoolstatusrequests | {'spec':{'driver':'d'},'status':{'poolCount':3,"
                        + "'pools':[{'totalDevices':4,'availableDevices':1,'allocatedDevices':2,"
                        + "'unavailableDevices':1},{'validationError':'x','totalDevices':1}],"
                        + "'conditions':[{'type':'Complete','status':'True',"
                        + "'lastTransitionTime':'2026-01-01T00:59:00Z'}]}}"
                        + " | o,d,5,1,2,1,1,3,Complete (2/3 pools),60s",
                "resourcepoolstatusrequests | {'spec':{'driver':'d'},'status':{'poolCount':0,"
                        + "'conditions':[{'type':'Complete','status':'True'}]}}"
                        + " | o,d,0,0,0,0,0,0,Complete,<unknown>",
                "resourcepoolstatusrequests | {'spec':{'driver':'d'},'status':{'pools':[{}],"
                        + "'conditions':[{'type':'Complete','status':'False'},"
                        + "{'type':'Failed','status':'True'}]}}"
                        + " | o,d,-,-,-,-,-,0,Failed,<none>",
                "workloads | {} | o,60m",
                "podgroups | {'spec':{'schedulingPolicy':{'basic':{}}}}"
                        + " | o,Basic,<none>,Pending,60m",
                "podgroups | {'spec':{'schedulingPolicy':{'gang':{}},'podGroupTemplateRef':"
                        + "{'workload':{'workloadName':'w'}}},'status':{'conditions':["
                        + "{'type':'PodGroupScheduled','status':'True'}]}}"
                        + " | o,Gang,w,Scheduled,60m",
                "podgroups | {'status':{'conditions':[{'type':'PodGroupScheduled',"
                        + "'status':'False'}]}} | o,Basic,<none>,Unschedulable,60m",
                "batch/v1/jobs | {'status':{'conditions':[{'type':'SuccessCriteriaMet',"
                        + "'status':'True'}]}} | o,SuccessCriteriaMet,0/1,,60m,,,<none>",
                "services | {'spec':{'type':'ClusterIP','selector':{'app':'web',"
                        + "'app.kubernetes.io/name':'web'}}} | o,ClusterIP,<none>,<none>,<none>,"
                        + "60m,app.kubernetes.io/name=web,app=web",
                "apps/v1/daemonsets | {'spec':{'template':{'spec':{'nodeSelector':{'disk':'ssd',"
                        + "'disk-size':'1'}}}}}"
                        + " | o,0,0,0,0,0,disk-size=1,disk=ssd,60m,,,<none>",
                "v1/validatingadmissionpolicybindings | {'spec':{'policyName':'p','paramRef':"
                        + "{'selector':{'matchLabels':{'env':'prod','app':'web'}}}}} |"
                        + " o,p,&LabelSelector{MatchLabels:map[string]string{app: web,env: prod,},"
                        + "MatchExpressions:[]LabelSelectorRequirement{},},60m",
                "v1/validatingadmissionpolicybindings | {'spec':{'policyName':'p','paramRef':"
                    + "{'selector':{'matchExpressions':[{'key':'b','operator':'In','values':['y','x']},{'key':'a','operator':'Exists'}]}}}}"
                    + " | o,p,&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:"
                    + "[]LabelSelectorRequirement{LabelSelectorRequirement{Key:b,Operator:In,Values:[y"
                    + " x],},LabelSelectorRequirement{Key:a,Operator:Exists,Values:[],},},},60m",
                "v2/horizontalpodautoscalers | {'spec':{'metrics':[{'type':'Pods','pods':{"
                        + "'target':{'averageValue':'5'}}},{'type':'Resource','resource':{"
                        + "'name':'cpu','target':{'averageValue':'100m'}}}]}}"
                        + " | o,/,<unknown>/5, cpu: <unknown>/100m,<unset>,0,0,60m",
                "v2/horizontalpodautoscalers | {'spec':{'metrics':[{'type':'Pods','pods':{"
                        + "'target':{'averageValue':'5'}}},{'type':'Resource','resource':{"
                        + "'name':'cpu','target':{'averageValue':'100m'}}}]},'status':{"
                        + "'currentMetrics':[{'type':'Pods','pods':{'current':{}}},"
                        + "{'type':'Resource','resource':{'current':{'averageUtilization':3}}}]}}"
                        + " | o,/,<nil>/5, cpu: <nil>/100m,<unset>,0,0,60m",
                "v2/horizontalpodautoscalers | {'spec':{'metrics':[{'type':'External','external':{"
                        + "'target':{'value':'5'}}},{'type':'External','external':{"
                        + "'target':{'averageValue':'6'}}}]},'status':{"
                        + "'currentMetrics':[{'external':{'current':{}}},"
                        + "{'external':{'current':{}}}]}}"
                        + " | o,/,<nil>/5, <unknown>/6 (avg),<unset>,0,0,60m",
                "v2/horizontalpodautoscalers | {'spec':{'metrics':[{'type':'ContainerResource',"
                        + "'containerResource':{'name':'cpu','target':{'averageUtilization':80}}},"
                        + "{'type':'Object','object':{'target':{'value':'5'}}}]},'status':{"
                        + "'currentMetrics':[{'containerResource':{'current':{}}},"
                        + "{'object':{'current':{'value':'0'}}}]}}"
                        + " | o,/,cpu: <unknown>/80%, 0/5,<unset>,0,0,60m",
                "podgroups | {'status':{'conditions':[{'type':'DisruptionTarget',"
                        + "'reason':'Preempted'},{'type':'PodGroupScheduled','status':'True'}]}}"
                        + " | o,Basic,<none>,Preempted,60m"
            })
    void printsARow(String resource, String json, String row) {
        assertThat(row(resource, object(json))).isEqualTo(row);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"{}", "{'spec':1,'status':2}", "{'spec':[],'status':{'conditions':{'a':1}}}"})
    void printsARowForAnyShape(String json) {
        for (Resource resource : ALL) {
            assertThat(RowCells.of(resource, resource.columns()).of(object(json), NOW))
                    .as(resource.toString())
                    .hasSizeGreaterThanOrEqualTo(resource.columns().size());
        }
    }

    /**
     * @param resource a plural, perhaps with its version before it
     */
    private static String row(String resource, JsonNode object) {
        Resource found =
                ALL.stream()
                        .filter(each ->
                                ("/" + each.apiVersion() + "/" + each.plural())
                                        .endsWith("/" + resource))
                        .findFirst()
                        .orElseThrow();
        return RowCells.of(found, found.columns()).of(object, NOW).stream()
                .map(JsonNode::asText)
                .collect(Collectors.joining(","));
    }

    /** With a name and a time of creation, and double quotes. */
    private static JsonNode object(String json) {
        String members = json.strip().substring(1).replace('\'', '"');
        String metadata =
                "{\"metadata\":{\"name\":\"o\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"}";
        try {
            return new ObjectMapper()
                    .readTree(metadata + (members.equals("}") ? "" : ",") + members);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

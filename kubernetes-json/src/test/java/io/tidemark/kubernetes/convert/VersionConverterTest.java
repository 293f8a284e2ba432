package io.tidemark.kubernetes.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.json.MalformedJsonException;
import io.tidemark.record.Bytes;
import org.junit.jupiter.api.Test;

/** JSON in this test has single quotes. */
class VersionConverterTest {
    private final VersionConverter versions = new VersionConverter();

    @Test
    void servesOnlyDefinitionsInAnotherVersion() {
        assertThat(
                        VersionConverter.preferred(
                                "apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"))
                .isEqualTo("apiextensions.k8s.io/v1");
        assertThat(VersionConverter.preferred("autoscaling/v2", "HorizontalPodAutoscaler"))
                .isEqualTo("autoscaling/v2");
    }

    @Test
    void knowsWhatItCanConvert() {
        assertThat(versions.canConvert("Event", "v1", "events.k8s.io/v1")).isTrue();
        assertThat(versions.canConvert("Event", "v1", "v1")).isTrue();
        assertThat(versions.canConvert("Pod", "v1", "v2")).isFalse();
    }

    @Test
    void returnsTheSameVersionUnchanged() {
        Bytes json = json("{'kind':'Pod','apiVersion':'v1','odd':1}");

        assertThat(versions.convert(json, "v1")).contains(json);
    }

    @Test
    void isEmptyWithoutAConversion() {
        assertThat(versions.convert(json("{'kind':'Pod','apiVersion':'v1'}"), "v2")).isEmpty();
    }

    @Test
    void refusesOtherThanObjects() {
        assertThatExceptionOfType(MalformedJsonException.class)
                .isThrownBy(() -> versions.convert(json("[1]"), "v1"));
    }

    @Test
    void renamesMembersOfEvents() {
        String event =
                "{'kind':'Event','apiVersion':'v1','metadata':{'name':'e','resourceVersion':'5'},"
                        + "'involvedObject':{'kind':'Pod','name':'p'},'reason':'Started',"
                        + "'message':'It runs','source':{'component':'kubelet'},"
                        + "'firstTimestamp':'2026-01-01T00:00:00Z','lastTimestamp':null,'count':2,"
                        + "'type':'Normal','eventTime':null,'reportingComponent':'kubelet',"
                        + "'reportingInstance':''}";

        assertThat(converted(event, "events.k8s.io/v1"))
                .isEqualTo(
                        "{'kind':'Event','apiVersion':'events.k8s.io/v1',"
                                + "'metadata':{'name':'e','resourceVersion':'5'},'eventTime':null,"
                                + "'reportingController':'kubelet','reason':'Started',"
                                + "'regarding':{'kind':'Pod','name':'p'},'note':'It runs',"
                                + "'type':'Normal','deprecatedSource':{'component':'kubelet'},"
                                + "'deprecatedFirstTimestamp':'2026-01-01T00:00:00Z',"
                                + "'deprecatedLastTimestamp':null,'deprecatedCount':2}");
        assertThat(converted(converted(event, "events.k8s.io/v1"), "v1")).isEqualTo(event);
    }

    @Test
    void copiesSharedSettingsIntoEveryVersion() {
        String definition =
                "{'kind':'CustomResourceDefinition','apiVersion':'apiextensions.k8s.io/v1beta1',"
                        + "'metadata':{'name':'ws.g'},'spec':{'group':'g','version':'v1',"
                        + "'names':{'plural':'ws','kind':'W'},'validation':{'openAPIV3Schema':"
                        + "{'type':'object'}},'additionalPrinterColumns':"
                        + "[{'name':'A','type':'string','JSONPath':'.a'}],'conversion':"
                        + "{'strategy':'Webhook','webhookClientConfig':{'service':"
                        + "{'namespace':'n','name':'s'},'caBundle':'eA=='}},"
                        + "'preserveUnknownFields':false},"
                        + "'status':{'conditions':null,'acceptedNames':{'plural':'','kind':''}}}";

        assertThat(converted(definition, "apiextensions.k8s.io/v1"))
                .isEqualTo(
                        "{'kind':'CustomResourceDefinition','apiVersion':'apiextensions.k8s.io/v1',"
                                + "'metadata':{'name':'ws.g'},'spec':{'group':'g','names':"
                                + "{'plural':'ws','singular':'w','kind':'W','listKind':'WList'},"
                                + "'scope':'Namespaced','versions':[{'name':'v1','served':true,"
                                + "'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}},"
                                + "'additionalPrinterColumns':"
                                + "[{'name':'A','type':'string','jsonPath':'.a'}]}],"
                                + "'conversion':{'strategy':'Webhook','webhook':{'clientConfig':"
                                + "{'service':{'namespace':'n','name':'s','port':443},"
                                + "'caBundle':'eA=='},'conversionReviewVersions':['v1beta1']}}},"
                                + "'status':{'conditions':null,'acceptedNames':"
                                + "{'plural':'','kind':''},'storedVersions':['v1']}}");
    }

    @Test
    void anAutoscalerOfV1HasOneMetricAndTheRestInAnnotations() {
        String autoscaler =
                "{'kind':'HorizontalPodAutoscaler','apiVersion':'autoscaling/v2',"
                        + "'metadata':{'name':'a','annotations':{'own':'x'}},"
                        + "'spec':{'scaleTargetRef':{'kind':'Deployment','name':'d'},"
                        + "'maxReplicas':3,'metrics':["
                        + "{'type':'Resource','resource':{'name':'cpu','target':"
                        + "{'type':'Utilization','averageUtilization':70}}},"
                        + "{'type':'Pods','pods':{'metric':{'name':'rps'},'target':"
                        + "{'type':'AverageValue','averageValue':'10'}}},"
                        + "{'type':'Object','object':{'describedObject':{'kind':'Ingress',"
                        + "'name':'i'},'metric':{'name':'hits'},'target':"
                        + "{'type':'Value','value':'5'}}}],"
                        + "'behavior':{'scaleDown':{'stabilizationWindowSeconds':60}}},"
                        + "'status':{'currentReplicas':2,'desiredReplicas':2,'currentMetrics':["
                        + "{'type':'Resource','resource':{'name':'cpu','current':"
                        + "{'averageUtilization':33,'averageValue':'50m'}}}],"
                        + "'conditions':[{'type':'AbleToScale','status':'True',"
                        + "'lastTransitionTime':null}]}}";

        assertThat(converted(autoscaler, "autoscaling/v1"))
                .isEqualTo(
                        "{'kind':'HorizontalPodAutoscaler','apiVersion':'autoscaling/v1',"
                            + "'metadata':{'name':'a','annotations':{"
                            + "'autoscaling.alpha.kubernetes.io/behavior':'{\\'ScaleUp\\':null,"
                            + "\\'ScaleDown\\':{\\'StabilizationWindowSeconds\\':60,"
                            + "\\'SelectPolicy\\':null,\\'Policies\\':null,\\'Tolerance\\':null}}',"
                            + "'autoscaling.alpha.kubernetes.io/conditions':"
                            + "'[{\\'type\\':\\'AbleToScale\\',\\'status\\':\\'True\\',"
                            + "\\'lastTransitionTime\\':null}]',"
                            + "'autoscaling.alpha.kubernetes.io/current-metrics':"
                            + "'[{\\'type\\':\\'Resource\\',\\'resource\\':{\\'name\\':\\'cpu\\',"
                            + "\\'currentAverageUtilization\\':33,"
                            + "\\'currentAverageValue\\':\\'50m\\'}}]',"
                            + "'autoscaling.alpha.kubernetes.io/metrics':"
                            + "'[{\\'type\\':\\'Pods\\',\\'pods\\':{\\'metricName\\':\\'rps\\',"
                            + "\\'targetAverageValue\\':\\'10\\'}},"
                            + "{\\'type\\':\\'Object\\',\\'object\\':{\\'target\\':"
                            + "{\\'kind\\':\\'Ingress\\',\\'name\\':\\'i\\'},"
                            + "\\'metricName\\':\\'hits\\',\\'targetValue\\':\\'5\\'}}]',"
                            + "'own':'x'}},"
                            + "'spec':{'scaleTargetRef':{'kind':'Deployment','name':'d'},"
                            + "'maxReplicas':3,'targetCPUUtilizationPercentage':70},"
                            + "'status':{'currentReplicas':2,'desiredReplicas':2,"
                            + "'currentCPUUtilizationPercentage':33}}");
    }

    @Test
    void movesWhatAClaimRequestsIntoExactly() {
        String claim =
                "{'kind':'ResourceClaim','apiVersion':'resource.k8s.io/v1beta1','metadata':{'name':'c'},"
                    + "'spec':{'devices':{'requests':[{'name':'one','deviceClassName':'gpu',"
                    + "'allocationMode':'ExactCount','count':2},"
                    + "{'name':'any','deviceClassName':'','firstAvailable':[{'name':'a',"
                    + "'deviceClassName':'gpu'}]}]}},'status':{}}";
        String ga =
                "{'kind':'ResourceClaim','apiVersion':'resource.k8s.io/v1','metadata':{'name':'c'},"
                    + "'spec':{'devices':{'requests':["
                    + "{'name':'one','exactly':{'deviceClassName':'gpu',"
                    + "'allocationMode':'ExactCount','count':2}},"
                    + "{'name':'any','firstAvailable':[{'name':'a','deviceClassName':'gpu'}]}]}},"
                    + "'status':{}}";

        assertThat(converted(claim, "resource.k8s.io/v1")).isEqualTo(ga);
        assertThat(converted(ga, "resource.k8s.io/v1beta1")).isEqualTo(claim);
        assertThat(converted(claim, "resource.k8s.io/v1beta2"))
                .isEqualTo(ga.replace("/v1'", "/v1beta2'"));
        assertThat(converted(ga, "resource.k8s.io/v1beta2"))
                .isEqualTo(ga.replace("/v1'", "/v1beta2'"));
    }

    @Test
    void convertsTheClaimInATemplate() {
        String template =
                "{'kind':'ResourceClaimTemplate','apiVersion':'resource.k8s.io/v1','metadata':{'name':'t'},"
                    + "'spec':{'metadata':{},'spec':{'devices':{'requests':[{'name':'one',"
                    + "'exactly':{'deviceClassName':'gpu','adminAccess':false}}]}}}}";

        assertThat(converted(template, "resource.k8s.io/v1beta1"))
                .contains(
                        "'requests':[{'name':'one','deviceClassName':'gpu','adminAccess':false}]");
    }

    @Test
    void movesPropertiesOfDevicesIntoBasic() {
        String slice =
                "{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1','metadata':{'name':'s'},"
                        + "'spec':{'driver':'d','pool':{'name':'p','generation':1,"
                        + "'resourceSliceCount':1},'nodeName':'n','allNodes':false,'devices':["
                        + "{'name':'bare'},"
                        + "{'name':'gpu','attributes':{'model':{'string':'x'}},'allNodes':true}]}}";

        String old = converted(slice, "resource.k8s.io/v1beta1");
        assertThat(old)
                .isEqualTo(
                        slice.replace("/v1'", "/v1beta1'")
                                .replace("'allNodes':false,", "")
                                .replace("{'name':'bare'}", "{'name':'bare','basic':{}}")
                                .replace("'attributes'", "'basic':{'attributes'")
                                .replace("'allNodes':true}", "'allNodes':true}}"));
        assertThat(converted(old, "resource.k8s.io/v1"))
                .isEqualTo(slice.replace("'allNodes':false,", ""));
    }

    @Test
    void aCapacityIsAQuantityInTheOldestVersion() {
        String slice =
                "{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1alpha3','metadata':{'name':'s'},"
                    + "'spec':{'driver':'d','pool':{'name':'p','generation':1,"
                    + "'resourceSliceCount':1},'devices':["
                    + "{'name':'gpu','basic':{'capacity':{'b':'80Gi','a':'1'}}}]}}";
        String old =
                slice.replace("/v1alpha3'", "/v1beta1'")
                        .replace(
                                "{'b':'80Gi','a':'1'}", "{'b':{'value':'80Gi'},'a':{'value':'1'}}");
        String ga =
                "{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1','metadata':{'name':'s'},"
                        + "'spec':{'driver':'d','pool':{'name':'p','generation':1,"
                        + "'resourceSliceCount':1},'devices':[{'name':'gpu','capacity':"
                        + "{'b':{'value':'80Gi'},'a':{'value':'1'}}}]}}";

        assertThat(converted(slice, "resource.k8s.io/v1beta1")).isEqualTo(old);
        assertThat(converted(slice, "resource.k8s.io/v1")).isEqualTo(ga);
        assertThat(converted(old, "resource.k8s.io/v1alpha3")).isEqualTo(slice);
        assertThat(converted(ga, "resource.k8s.io/v1alpha3")).isEqualTo(slice);
    }

    @Test
    void convertsDevicesOfAnyShape() {
        for (String spec :
                new String[] {
                    "1",
                    "null",
                    "{'devices':1}",
                    "{'devices':[1,null]}",
                    "{'devices':[{'name':1,'basic':2}]}",
                    "{'devices':[{'basic':{'capacity':{'a':null,'b':{},'c':[1]}},'capacity':1}]}",
                    "{'devices':{'requests':[1,{'exactly':3}]}}",
                    "{'spec':{'devices':{'requests':{}}}}"
                }) {
            for (String kind : DeviceConversion.KINDS) {
                for (String from : DeviceConversion.VERSIONS) {
                    for (String to : DeviceConversion.VERSIONS) {
                        String object =
                                "{'kind':'%s','apiVersion':'%s','spec':%s}"
                                        .formatted(kind, from, spec);
                        assertThat(versions.convert(json(object), to)).isPresent();
                    }
                }
            }
        }
    }

    @Test
    void renamesCandidatesBetweenTheirVersionsOfOneForm() {
        String candidate =
                "{'kind':'LeaseCandidate','apiVersion':'coordination.k8s.io/v1beta1',"
                    + "'metadata':{'name':'c'},'spec':{'leaseName':'l','binaryVersion':'1.36.0'}}";

        assertThat(converted(candidate, "coordination.k8s.io/v1alpha2"))
                .isEqualTo(candidate.replace("v1beta1", "v1alpha2"));
        assertThat(
                        versions.canConvert(
                                "LeaseCandidate",
                                "coordination.k8s.io/v1alpha1",
                                "coordination.k8s.io/v1beta1"))
                .isFalse();
    }

    @Test
    void writesNoSharesOfAPriorityLevelAsZero() {
        String level =
                "{'kind':'PriorityLevelConfiguration',"
                        + "'apiVersion':'flowcontrol.apiserver.k8s.io/v1',"
                        + "'metadata':{'name':'l'},'spec':{'type':'Limited','limited':"
                        + "{'nominalConcurrencyShares':null,'limitResponse':{'type':'Reject'}}},"
                        + "'status':{}}";

        assertThat(converted(level, "flowcontrol.apiserver.k8s.io/v1beta3"))
                .isEqualTo(level.replace("/v1'", "/v1beta3'").replace("null", "0"));
    }

    private String converted(String json, String apiVersion) {
        return versions.convert(json(json), apiVersion).orElseThrow().utf8().replace('"', '\'');
    }

    private static Bytes json(String json) {
        return Bytes.utf8(json.replace('\'', '"'));
    }
}

package io.tidemark.query.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.json.GoJson;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PodSummaryTest {
    private static final String RUNNING =
            "{'name':'main','ready':true,'restartCount':0,'state':{'running':{}}}";

    @Test
    void countsARunningPodAsReady() {
        PodSummary pod = pod("'phase':'Running','containerStatuses':[" + RUNNING + "]");

        assertThat(pod).isEqualTo(new PodSummary(1, 1, "Running", 0, ""));
    }

    @Test
    void showsTheReasonOfAWaitingContainer() {
        PodSummary pod =
                pod(
                        "'phase':'Running','containerStatuses':[{'restartCount':3,"
                                + "'state':{'waiting':{'reason':'CrashLoopBackOff'}},"
                                + "'lastState':{'terminated':"
                                + "{'finishedAt':'2026-01-01T00:00:00Z'}}}]");

        assertThat(pod)
                .isEqualTo(new PodSummary(0, 1, "CrashLoopBackOff", 3, "2026-01-01T00:00:00Z"));
    }

    @Test
    void showsHowAContainerEnded() {
        assertThat(ended("'reason':'OOMKilled','exitCode':137")).isEqualTo("OOMKilled");
        assertThat(ended("'exitCode':2")).isEqualTo("ExitCode:2");
        assertThat(ended("'exitCode':0,'signal':9")).isEqualTo("Signal:9");
        assertThat(ended("'reason':'Completed'")).isEqualTo("Completed");
    }

    @Test
    void showsCompletedOnlyWhenAllContainersHaveCompleted() {
        String both =
                "'phase':'Running','containerStatuses':[{'state':{'terminated':"
                        + "{'reason':'Completed'}}},"
                        + RUNNING
                        + "]";

        assertThat(pod(both).status()).isEqualTo("NotReady");
        assertThat(pod(both + ",'conditions':[{'type':'Ready','status':'True'}]").status())
                .isEqualTo("Running");
    }

    @Test
    void showsInitContainersFirst() {
        assertThat(initializing("{'state':{'running':{}}}").status()).isEqualTo("Init:0/2");
        assertThat(
                        initializing(
                                        "{'state':{'terminated':{'exitCode':0}}},"
                                                + "{'state':{'waiting':"
                                                + "{'reason':'ErrImagePull'}}}")
                                .status())
                .isEqualTo("Init:ErrImagePull");
        assertThat(initializing("{'state':{'terminated':{'exitCode':3}}}").status())
                .isEqualTo("Init:ExitCode:3");
        assertThat(initializing("{'state':{'waiting':{'reason':'PodInitializing'}}}").status())
                .isEqualTo("Init:0/2");
    }

    @Test
    void countsAStartedSidecar() {
        PodSummary pod =
                of(
                        "{'spec':{'initContainers':[{'name':'proxy','restartPolicy':'Always'}],"
                                + "'containers':[{'name':'main'}]},'status':{'phase':'Running',"
                                + "'initContainerStatuses':[{'name':'proxy','started':true,"
                                + "'ready':true,'restartCount':2,'state':{'running':{}}}],"
                                + "'containerStatuses':["
                                + RUNNING
                                + "]}}");

        assertThat(pod).isEqualTo(new PodSummary(2, 2, "Running", 2, ""));
    }

    @Test
    void showsDeletionAndGates() {
        assertThat(
                        of("{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'},"
                                        + "'status':{'phase':'Running'}}")
                                .status())
                .isEqualTo("Terminating");
        assertThat(
                        of("{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'},"
                                        + "'status':{'phase':'Failed','reason':'Evicted'}}")
                                .status())
                .isEqualTo("Evicted");
        assertThat(
                        pod("'phase':'Pending','conditions':[{'type':'PodScheduled',"
                                        + "'reason':'SchedulingGated'}]")
                                .status())
                .isEqualTo("SchedulingGated");
    }

    @Test
    void treatsOddShapesAsEmptyPods() {
        PodSummary empty = new PodSummary(0, 0, "", 0, "");

        assertThat(of("{}")).isEqualTo(empty);
        assertThat(of("[]")).isEqualTo(empty);
        assertThat(of("{'status':7,'spec':[{}]}")).isEqualTo(empty);
        assertThat(of("{'status':{'containerStatuses':{'a':[]},'conditions':3}}")).isEqualTo(empty);
    }

    private static String ended(String state) {
        return pod("'phase':'Failed','containerStatuses':[{'state':{'terminated':{"
                        + state
                        + "}}}]")
                .status();
    }

    private static PodSummary initializing(String statuses) {
        return of(
                "{'spec':{'initContainers':[{'name':'a'},{'name':'b'}]},'status':"
                        + "{'phase':'Pending','initContainerStatuses':["
                        + statuses
                        + "]}}");
    }

    private static PodSummary pod(String status) {
        return of("{'spec':{'containers':[{'name':'main'}]},'status':{" + status + "}}");
    }

    private static PodSummary of(String json) {
        return PodSummary.of(GoJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }
}

package io.tidemark.query.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.query.encode.KeyValueEventEncoder;
import io.tidemark.serving.freshness.RequestedState;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.serving.watch.SampleDeliveries;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.event.Delivery;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ObjectChange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LongPollTest {
    private static final Pattern REVISIONS = Pattern.compile("\"modRevision\":(\\d+)");

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private long booked;

    @Test
    void namesTheLastRevisionThatItKnowsOfWhole() throws IOException {
        assertThat(poll(5, 1_000).take(events(9, event(6), event(7)))).isFalse();
        assertThat(text())
                .startsWith(
                        "{\"kind\":\"WatchEventList\",\"apiVersion\":\"v1\",\"metadata\":"
                                + "{\"resourceVersion\":\"9\"},\"events\":[{\"type\":\"ADDED\"")
                .endsWith("}]}\n");
        assertThat(revisions()).containsExactly("6", "7");
        assertThat(booked).isPositive();
    }

    @Test
    void answersWithoutEventsNeverBelowItsStart() throws IOException {
        assertThat(poll(5, 1_000).take(new Step.NoEvents(ChangePosition.endOf(3)))).isFalse();
        assertThat(text()).contains("\"resourceVersion\":\"5\"},\"events\":[]}");
    }

    @Test
    void answersAtItsStartWhenTheNodeStops() throws IOException {
        assertThat(poll(5, 1_000).take(new Step.Ended())).isFalse();
        assertThat(text()).contains("\"resourceVersion\":\"5\"},\"events\":[]}");
    }

    @Test
    void endsBetweenTwoRevisionsOnceItIsLongEnough() throws IOException {
        assertThat(poll(5, 1).take(events(9, event(6), event(6), event(7)))).isFalse();
        assertThat(text()).contains("\"resourceVersion\":\"6\"");
        assertThat(revisions()).containsExactly("6", "6");
    }

    @Test
    void leavesARevisionThatComesInPartsToTheNextPoll() throws IOException {
        Step step = new Step.Events(List.of(event(6), event(7)), new ChangePosition(7, 0));
        assertThat(poll(5, 1_000).take(step)).isFalse();
        assertThat(text()).contains("\"resourceVersion\":\"6\"");
        assertThat(revisions()).containsExactly("6");
    }

    @Test
    void answersWithARevisionInPartsAlone() throws IOException {
        LongPoll poll = poll(5, 1);
        assertThat(poll.take(new Step.Events(List.of(event(6)), new ChangePosition(6, 0))))
                .isTrue();
        assertThat(poll.take(new Step.NoEvents(new ChangePosition(6, 1)))).isTrue();
        assertThat(poll.take(events(8, event(6), event(8)))).isFalse();
        assertThat(text()).contains("\"resourceVersion\":\"6\"");
        assertThat(revisions()).containsExactly("6", "6");
        assertThat(poll.sent()).isEqualTo(2);
    }

    @Test
    void isBrokenOffInsideARevision() throws IOException {
        LongPoll poll = poll(5, 1);
        assertThat(poll.take(new Step.Events(List.of(event(6)), new ChangePosition(6, 0))))
                .isTrue();
        assertThatThrownBy(() -> poll.take(new Step.Ended()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("inside revision 6");
        assertThat(text()).doesNotContain("]}");
    }

    @Test
    void writesNothingWhenItsMemoryIsRefused() {
        LongPoll poll =
                new LongPoll(
                        new KeyValueEventEncoder(),
                        5,
                        1_000,
                        _ -> {
                            throw new IllegalStateException("full");
                        },
                        body);
        assertThatThrownBy(() -> poll.take(events(6, event(6)))).hasMessage("full");
        assertThat(text()).isEmpty();
    }

    @Test
    void withoutARevisionItBeginsNow() {
        assertThat(LongPoll.state("")).isEqualTo(new RequestedState.Latest());
        assertThat(LongPoll.state("0")).isEqualTo(new RequestedState.Any());
        assertThat(LongPoll.state("7")).isEqualTo(new RequestedState.Any());
    }

    private LongPoll poll(long after, long mostBytes) {
        return new LongPoll(
                new KeyValueEventEncoder(), after, mostBytes, bytes -> booked += bytes, body);
    }

    private static Step events(long through, Delivery... deliveries) {
        return new Step.Events(List.of(deliveries), ChangePosition.endOf(through));
    }

    private static Delivery event(long revision) {
        StoredObject object =
                StoredObjects.of(
                        "/a",
                        (int) revision,
                        "{\"metadata\":{\"resourceVersion\":\"" + revision + "\"}}");
        ObjectChange change = new ObjectChange(revision, 0, object.key(), object, null);
        return SampleDeliveries.entering(change);
    }

    private String text() {
        return body.toString(StandardCharsets.UTF_8);
    }

    private List<String> revisions() {
        return REVISIONS.matcher(text()).results().map(found -> found.group(1)).toList();
    }
}

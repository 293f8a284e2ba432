package io.tidemark.simulation;

import io.tidemark.record.ChangeCodec;
import io.tidemark.record.TopicRecord;
import io.tidemark.record.TopicRecord.Header;
import io.tidemark.simulation.world.LogRecord;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.ScanPage;
import io.tidemark.view.ScanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** What the mutants do to views and records. */
final class MutantViews {
    private MutantViews() {}

    /** Gets the pages of changes wrong. */
    static final class Changes extends ForwardingView {
        private final UnaryOperator<ChangePage> mistake;

        Changes(PartitionView view, UnaryOperator<ChangePage> mistake) {
            super(view);
            this.mistake = mistake;
        }

        @Override
        public ReadOutcome<ChangePage> changes(ChangesRequest request) {
            return super.changes(request).map(mistake);
        }
    }

    /** Keeps the first change of a last revision that has several, and claims to be through it. */
    static ChangePage cutInsideARevision(ChangePage page) {
        List<ObjectChange> changes = page.changes();
        int last = changes.size() - 1;
        boolean several =
                last > 0 && changes.get(last).revision() == changes.get(last - 1).revision();
        return several ? new ChangePage(changes.subList(0, last), page.throughRevision()) : page;
    }

    static ChangePage withoutPrevious(ChangePage page) {
        List<ObjectChange> changes =
                page.changes().stream()
                        .map(each ->
                                each.current() == null
                                        ? each
                                        : new ObjectChange(
                                                each.revision(),
                                                each.index(),
                                                each.key(),
                                                each.current(),
                                                null))
                        .toList();
        return new ChangePage(changes, page.throughRevision());
    }

    /** Serves what it still has where it should say that something is gone. */
    static final class FloorTooLow extends ForwardingView {
        FloorTooLow(PartitionView view) {
            super(view);
        }

        @Override
        public PartitionState state() {
            PartitionState state = super.state();
            return withFloor(state, Math.min(state.floor(), 1));
        }

        @Override
        public ReadOutcome<ChangePage> changes(ChangesRequest request) {
            ReadOutcome<ChangePage> outcome = super.changes(request);
            return outcome instanceof ReadOutcome.Expired<ChangePage>(long floor)
                    ? super.changes(
                            new ChangesRequest(
                                    request.prefix(),
                                    floor,
                                    Math.max(floor, request.throughRevision()),
                                    request.maxChanges(),
                                    request.maxBytes()))
                    : outcome;
        }
    }

    /** Says that something is gone now and then, although it is there. */
    static final class GoneTooEarly extends ForwardingView {
        GoneTooEarly(PartitionView view) {
            super(view);
        }

        @Override
        public ReadOutcome<ChangePage> changes(ChangesRequest request) {
            PartitionState state = state();
            boolean said = state.ready() && request.afterRevision() % 11 == 0;
            return said ? new ReadOutcome.Expired<>(state.floor()) : super.changes(request);
        }
    }

    /** Admits to the newer half of what it has. */
    static final class HalfTheWindow extends ForwardingView {
        HalfTheWindow(PartitionView view) {
            super(view);
        }

        @Override
        public PartitionState state() {
            PartitionState state = super.state();
            return withFloor(state, (state.floor() + state.watermark()) / 2);
        }
    }

    /** Shows the state of a little earlier. */
    static final class StaleScan extends ForwardingView {
        StaleScan(PartitionView view) {
            super(view);
        }

        @Override
        public ReadOutcome<ScanPage> scan(ScanRequest request) {
            long earlier = Math.max(state().floor(), request.atRevision() - 2);
            return super.scan(
                    new ScanRequest(
                            request.prefix(),
                            request.fromKeyInclusive(),
                            Math.min(earlier, request.atRevision()),
                            request.selection(),
                            request.maxObjects(),
                            request.maxBytes()));
        }
    }

    /** The record, or, if it is a progress mark, one that claims some revisions more. */
    static LogRecord withMarkAhead(LogRecord record, long revisions) {
        boolean progress =
                record.content().headers().stream()
                        .anyMatch(header ->
                                header.name().equals(ChangeCodec.MARK)
                                        && header.value().equals("progress"));
        if (!progress) {
            return record;
        }
        List<Header> headers = new ArrayList<>();
        for (Header header : record.content().headers()) {
            headers.add(
                    header.name().equals(ChangeCodec.MOD_REVISION)
                            ? new Header(
                                    header.name(),
                                    Long.toString(Long.parseLong(header.value()) + revisions))
                            : header);
        }
        return record.with(
                new TopicRecord(record.content().key(), record.content().value(), headers));
    }

    static boolean isAfterTheFirstEpoch(LogRecord record) {
        return record.content().headers().stream()
                .anyMatch(header ->
                        header.name().equals(ChangeCodec.EPOCH)
                                && Long.parseLong(header.value()) > 1);
    }

    private static PartitionState withFloor(PartitionState state, long floor) {
        return new PartitionState(
                state.ready(),
                state.epoch(),
                state.clusterId(),
                floor,
                state.watermark(),
                state.appliedOffset(),
                state.markTimeMillis(),
                state.unreadable(),
                state.connector());
    }
}

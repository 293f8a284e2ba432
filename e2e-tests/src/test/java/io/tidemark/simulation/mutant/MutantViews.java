package io.tidemark.simulation.mutant;

import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** Mutants of views. */
final class MutantViews {
    private MutantViews() {}

    /** Returns wrong pages of changes. */
    static final class Changes extends ForwardingView {
        private final UnaryOperator<ChangePage> mistake;

        Changes(PartitionView view, UnaryOperator<ChangePage> mistake) {
            super(view);
            this.mistake = mistake;
        }

        @Override
        ReadOutcome<ChangePage> changes(ChangesRequest request) {
            return super.changes(request).map(mistake);
        }
    }

    /**
     * Omits the last change of a last revision that has several, and claims to have read it all.
     */
    static ChangePage cutInsideARevision(ChangePage page) {
        List<ObjectChange> changes = page.changes();
        if (!page.isWhole()) {
            return new ChangePage(changes, page.through().revision());
        }
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
        return new ChangePage(changes, page.through());
    }

    /** Serves what it still has where it should answer that the revision is compacted. */
    static final class CompactedStillServed extends ForwardingView {
        private final boolean said;

        /**
         * @param said whether it also reports so low a floor
         */
        CompactedStillServed(PartitionView view, boolean said) {
            super(view);
            this.said = said;
        }

        @Override
        public PartitionState state() {
            PartitionState state = super.state();
            return said ? withFloor(state, Math.min(state.floor(), 1)) : state;
        }

        @Override
        ReadOutcome<ChangePage> changes(ChangesRequest request) {
            ReadOutcome<ChangePage> outcome = super.changes(request);
            return outcome instanceof ReadOutcome.Expired<ChangePage>(long floor)
                    ? super.changes(after(request, floor))
                    : outcome;
        }
    }

    /** Reads changes from another revision than the requested one. */
    static final class ChangesFrom extends ForwardingView {
        private final UnaryOperator<ChangesRequest> mistake;

        ChangesFrom(PartitionView view, UnaryOperator<ChangesRequest> mistake) {
            super(view);
            this.mistake = mistake;
        }

        @Override
        ReadOutcome<ChangePage> changes(ChangesRequest request) {
            return super.changes(mistake.apply(request));
        }
    }

    static ChangesRequest after(ChangesRequest request, long revision) {
        return new ChangesRequest(
                request.prefix(),
                revision,
                Math.max(revision, request.throughRevision()),
                request.maxChanges(),
                request.maxBytes());
    }

    /** Serves a revision that it has not reached yet as if it were its newest. */
    static final class ScanAhead extends ForwardingView {
        ScanAhead(PartitionView view) {
            super(view);
        }

        @Override
        ReadOutcome<ScanPage> scan(ScanRequest request) {
            return super.scan(at(request, Math.min(request.atRevision(), state().watermark())));
        }
    }

    private static ScanRequest at(ScanRequest request, long revision) {
        return new ScanRequest(
                request.prefix(),
                request.fromKeyInclusive(),
                revision,
                request.selection(),
                request.maxObjects(),
                request.maxBytes());
    }

    /** Answers "compacted" now and then, although the revision is there. */
    static final class CompactedTooEarly extends ForwardingView {
        CompactedTooEarly(PartitionView view) {
            super(view);
        }

        @Override
        ReadOutcome<ChangePage> changes(ChangesRequest request) {
            PartitionState state = state();
            boolean said = state.ready() && request.afterRevision() % 11 == 0;
            return said ? new ReadOutcome.Expired<>(state.floor()) : super.changes(request);
        }
    }

    /** Reports only the newer half of its history. */
    static final class HalvedHistoryWindow extends ForwardingView {
        HalvedHistoryWindow(PartitionView view) {
            super(view);
        }

        @Override
        public PartitionState state() {
            PartitionState state = super.state();
            return withFloor(state, (state.floor() + state.watermark()) / 2);
        }
    }

    /** Shows a slightly older state. */
    static final class StaleScan extends ForwardingView {
        StaleScan(PartitionView view) {
            super(view);
        }

        @Override
        ReadOutcome<ScanPage> scan(ScanRequest request) {
            long earlier = Math.max(state().floor(), request.atRevision() - 2);
            return super.scan(at(request, Math.min(earlier, request.atRevision())));
        }
    }

    /** Never reports that its state is older than before. */
    static final class StalenessNotUpdated extends ForwardingView {
        private final AtomicLong newest = new AtomicLong();

        StalenessNotUpdated(PartitionView view) {
            super(view);
        }

        @Override
        public PartitionState state() {
            PartitionState state = super.state();
            return asOf(state, newest.accumulateAndGet(state.markTimeMillis(), Math::max));
        }
    }

    private static PartitionState asOf(PartitionState state, long markTimeMillis) {
        return new PartitionState(
                state.ready(),
                state.epoch(),
                state.clusterId(),
                state.floor(),
                state.watermark(),
                state.lastChangeRevision(),
                state.appliedOffset(),
                markTimeMillis,
                state.unreadable(),
                state.connector(),
                state.gap());
    }

    static PartitionState withEpoch(PartitionState state, long epoch) {
        return new PartitionState(
                state.ready(),
                epoch,
                state.clusterId(),
                state.floor(),
                state.watermark(),
                state.lastChangeRevision(),
                state.appliedOffset(),
                state.markTimeMillis(),
                state.unreadable(),
                state.connector(),
                state.gap());
    }

    private static PartitionState withFloor(PartitionState state, long floor) {
        return new PartitionState(
                state.ready(),
                state.epoch(),
                state.clusterId(),
                floor,
                state.watermark(),
                state.lastChangeRevision(),
                state.appliedOffset(),
                state.markTimeMillis(),
                state.unreadable(),
                state.connector(),
                state.gap());
    }
}

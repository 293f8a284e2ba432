package io.tidemark.simulation.mutant;

import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;

/** Forwards every read; a mutant overrides the one that it gets wrong. */
abstract class ForwardingView implements PartitionView {
    private final PartitionView view;

    ForwardingView(PartitionView view) {
        this.view = view;
    }

    @Override
    public int partition() {
        return view.partition();
    }

    @Override
    public PartitionState state() {
        return view.state();
    }

    @Override
    @SuppressWarnings("unchecked") // A request is typed by its answer.
    public final <T> ReadOutcome<T> read(ReadRequest<T> request) {
        return switch (request) {
            case ScanRequest scan -> (ReadOutcome<T>) scan(scan);
            case ChangesRequest changes -> (ReadOutcome<T>) changes(changes);
            default -> view.read(request);
        };
    }

    ReadOutcome<ScanPage> scan(ScanRequest request) {
        return view.read(request);
    }

    ReadOutcome<ChangePage> changes(ChangesRequest request) {
        return view.read(request);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return view.onChange(listener);
    }
}

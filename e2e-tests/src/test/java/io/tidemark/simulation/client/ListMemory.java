package io.tidemark.simulation.client;

import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.read.ByteBudget.Share;
import io.tidemark.simulation.promise.RecordedPeak;
import io.tidemark.simulation.world.Settings;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The memory that lists of nodes hold until their clients have read them. */
public final class ListMemory {
    /** A list that is alone may be larger than all memory: a page, and one object more. */
    private static final long LARGEST_BYTES = 8 << 10;

    private final Settings settings;
    private final Map<ByteBudget, Integer> open = new IdentityHashMap<>();
    private long highest;
    private long highestWithoutLists;

    public ListMemory(Settings settings) {
        this.settings = settings;
    }

    /** A list of a client begins. */
    Share begin(ByteBudget budget, String client) {
        int unused = open.merge(budget, 1, Integer::sum);
        Share share = budget.share("address of " + client);
        share.chargeTo(client);
        return share;
    }

    /** It has been read. */
    void observe(ByteBudget budget) {
        highest = Math.max(highest, budget.held());
    }

    /** Its client has got it, or it was refused. */
    void end(ByteBudget budget, Share share) {
        share.close();
        if (open.merge(budget, -1, Integer::sum) == 0) {
            highestWithoutLists = Math.max(highestWithoutLists, budget.held());
        }
    }

    public List<RecordedPeak> peaks() {
        return List.of(
                new RecordedPeak("memory of lists", highest, settings.listBytes() + LARGEST_BYTES),
                new RecordedPeak("memory without any list", highestWithoutLists, 0));
    }
}

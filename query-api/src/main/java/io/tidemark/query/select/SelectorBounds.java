package io.tidemark.query.select;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.SelectionBounds;
import java.util.List;

/** Checks the joint size of a request's selectors, see {@link SelectionBounds}. */
public final class SelectorBounds {
    private SelectorBounds() {}

    /**
     * Checks the terms of the label, the field and the shard selector of one request.
     *
     * @throws io.tidemark.serving.status.StatusException 400 when there are too many of them, or of
     *     the values they compare with
     */
    public static void check(List<Requirement> requirements) {
        require("terms", requirements.size(), SelectionBounds.TERMS);
        require("values", SelectionBounds.values(requirements), SelectionBounds.VALUES);
    }

    private static void require(String what, int count, int most) {
        if (count > most) {
            throw StatusErrors.badRequest(
                    "labelSelector, fieldSelector and shardSelector have %d %s together; at most %d are allowed"
                            .formatted(count, what, most));
        }
    }
}

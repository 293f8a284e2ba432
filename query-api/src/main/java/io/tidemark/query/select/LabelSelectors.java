package io.tidemark.query.select;

import io.tidemark.view.object.Selection.Requirement;
import java.util.List;

/**
 * Parses {@code labelSelector}: {@code a=b,c!=d,e in (x,y),!f,g>5}. A blank selector selects
 * everything.
 */
public final class LabelSelectors {
    private LabelSelectors() {}

    /**
     * @return conditions that must all hold
     * @throws io.tidemark.serving.status.StatusException 400 with the API server's text
     */
    public static List<Requirement> parse(String selector) {
        try {
            return new LabelParser(LabelToken.scan(selector)).parse();
        } catch (BadSelectorException e) {
            throw e.asStatus();
        }
    }
}

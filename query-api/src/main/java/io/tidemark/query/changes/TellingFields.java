package io.tidemark.query.changes;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.diff.Difference;
import io.tidemark.diff.FieldDiff;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a change that say something. Keeps the first ones only, and counts the others: an
 * object may have very many.
 */
final class TellingFields {
    private final List<Difference> first = new ArrayList<>();
    private int count;
    private ChangeClass change = ChangeClass.NOISE;

    /** Those that differ between two versions. */
    static TellingFields between(JsonNode before, JsonNode after) {
        TellingFields fields = new TellingFields();
        FieldDiff.forEach(before, after, false, fields::take);
        return fields;
    }

    /** None. */
    static TellingFields none() {
        return new TellingFields();
    }

    private void take(Difference each) {
        if (!ChangeClass.isTelling(each.path())) {
            return;
        }
        count++;
        if (first.size() < ChangeDescriber.MAX_FIELDS) {
            first.add(each);
        }
        ChangeClass ofField = ChangeClass.ofField(each.path());
        if (ofField.compareTo(change) < 0) {
            change = ofField;
        }
    }

    /** The first {@link ChangeDescriber#MAX_FIELDS}, in the order of the documents. */
    List<Difference> first() {
        return first;
    }

    /** How many there are besides. */
    int more() {
        return count - first.size();
    }

    /** The class of a change of these fields. */
    ChangeClass change() {
        return change;
    }
}

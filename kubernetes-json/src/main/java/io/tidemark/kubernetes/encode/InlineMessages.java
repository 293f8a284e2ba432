package io.tidemark.kubernetes.encode;

import io.tidemark.kubernetes.schema.Field;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import java.util.Arrays;
import java.util.List;

/**
 * The open messages whose members JSON has among those of the enclosing message. Members of one
 * such message follow each other in what API servers print. Where they do not, the message is
 * written in parts, which readers merge.
 */
final class InlineMessages {
    private final ProtobufWriter out;
    private List<Field> open = List.of();
    private int[] marks = {};

    InlineMessages(ProtobufWriter out) {
        this.out = out;
    }

    /** Closes and opens messages so that exactly these are open, the outermost first. */
    void enter(List<Field> wanted) {
        if (open == wanted) {
            return;
        }
        int common = 0;
        while (common < Math.min(open.size(), wanted.size())
                && open.get(common) == wanted.get(common)) {
            common++;
        }
        for (int i = open.size() - 1; i >= common; i--) {
            out.close(marks[i]);
        }
        if (marks.length < wanted.size()) {
            marks = Arrays.copyOf(marks, wanted.size());
        }
        for (int i = common; i < wanted.size(); i++) {
            marks[i] = out.open(wanted.get(i).number());
        }
        open = wanted;
    }
}

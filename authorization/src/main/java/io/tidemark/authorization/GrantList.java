package io.tidemark.authorization;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The grants of one subject, sorted by binding. Immutable. Most requests of a member of many groups
 * fail at most grants, so what decides that is side by side in memory.
 */
final class GrantList {
    static final GrantList EMPTY = new GrantList(new Grant[0]);

    private final Grant[] grants;
    private final long[] masks;

    private GrantList(Grant[] grants) {
        this.grants = grants;
        this.masks = Arrays.stream(grants).mapToLong(grant -> grant.role().mask()).toArray();
    }

    boolean isEmpty() {
        return grants.length == 0;
    }

    /** Adds a grant, in place of another one of the same binding. */
    GrantList with(Grant grant) {
        int at = find(grant.binding().id());
        if (at >= 0) {
            Grant[] copy = grants.clone();
            copy[at] = grant;
            return new GrantList(copy);
        }
        int to = -at - 1;
        Grant[] copy = Arrays.copyOf(grants, grants.length + 1);
        System.arraycopy(grants, to, copy, to + 1, grants.length - to);
        copy[to] = grant;
        return new GrantList(copy);
    }

    GrantList without(RbacId binding) {
        int at = find(binding);
        if (at < 0) {
            return this;
        }
        Grant[] copy = Arrays.copyOf(grants, grants.length - 1);
        System.arraycopy(grants, at + 1, copy, at, copy.length - at);
        return new GrantList(copy);
    }

    /** As of a binary search. */
    private int find(RbacId binding) {
        int low = 0;
        int high = grants.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = grants[middle].binding().id().compareTo(binding);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /**
     * A grant that allows the request; null when there is none.
     *
     * @param mask of the request
     */
    @Nullable Grant allowing(RequestAttributes request, long mask) {
        for (int i = 0; i < masks.length; i++) {
            if (RuleMask.mayAllow(masks[i], mask) && grants[i].role().allow(request, mask)) {
                return grants[i];
            }
        }
        return null;
    }

    void forEach(Consumer<Grant> action) {
        for (Grant grant : grants) {
            action.accept(grant);
        }
    }
}

package io.tidemark.query.changes;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.record.Bytes;
import io.tidemark.view.request.ObjectChange;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Picks the changes that a request asks for. */
public final class ChangeFilter {
    private final ChangesQuery query;
    private final Catalog catalog;
    private final ChangeDescriber describer;

    /**
     * Of the resources that are asked for. Resources of several groups may be stored in one place.
     */
    private final Set<Bytes> prefixes;

    /** What a request makes of a change. */
    public sealed interface Picked {
        /** It is asked for. */
        record Shown(ChangeItem item) implements Picked {}

        /** It is in the scope, but of a class that is not asked for. */
        record Hidden(ChangeClass about) implements Picked {}

        /** It is not in the scope. */
        record Other() implements Picked {}
    }

    public ChangeFilter(ChangesQuery query, Catalog catalog) {
        this.query = query;
        this.catalog = catalog;
        this.describer = new ChangeDescriber(catalog);
        this.prefixes =
                catalog.resources().stream()
                        .filter(query::names)
                        .map(Resource::keyPrefix)
                        .collect(Collectors.toSet());
    }

    /** Picks a change. A change of a resource that is noise is not parsed unless it is shown. */
    public Picked pick(ObjectChange change) {
        if (!isInScope(change)) {
            return new Picked.Other();
        }
        if (!query.classes().contains(ChangeClass.NOISE)
                && catalog.ofKey(change.key()).filter(ChangeClass::isNoisy).isPresent()) {
            return new Picked.Hidden(ChangeClass.NOISE);
        }
        Optional<ChangeItem> item = describer.describe(change);
        if (item.isEmpty()) {
            return new Picked.Other();
        }
        return query.classes().contains(item.get().about())
                ? new Picked.Shown(item.get())
                : new Picked.Hidden(item.get().about());
    }

    /** Nothing of the objects is parsed. */
    private boolean isInScope(ObjectChange change) {
        return isNamed(change.key())
                && (query.selection().requirements().isEmpty()
                        || query.selection().matches(change.current())
                        || query.selection().matches(change.previous()));
    }

    private boolean isNamed(Bytes key) {
        if (query.resources().isEmpty() && query.namespace().isEmpty()) {
            return true;
        }
        return catalog.ofKey(key)
                .filter(resource -> prefixes.contains(resource.keyPrefix()))
                .filter(resource ->
                        query.namespace().isEmpty()
                                || (resource.namespaced()
                                        && key.startsWith(
                                                resource.keyPrefix()
                                                        .concat(
                                                                Bytes.utf8(
                                                                        query.namespace() + "/")))))
                .filter(_ -> query.name().isEmpty() || endsWith(key, "/" + query.name()))
                .isPresent();
    }

    private static boolean endsWith(Bytes key, String text) {
        Bytes end = Bytes.utf8(text);
        int from = key.length() - end.length();
        return from >= 0 && key.slice(from, key.length()).equals(end);
    }
}

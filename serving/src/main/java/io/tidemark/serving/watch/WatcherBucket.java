package io.tidemark.serving.watch;

import io.tidemark.serving.watch.event.EncodedEvent;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The watches of one scope. Those that select one value of a field or label, such as the pods of a
 * node, are indexed by that value: an event looks up its own values and does not visit every watch.
 */
final class WatcherBucket {
    private final Map<WatchFilter, WatcherGroup> groups = new LinkedHashMap<>();
    private final List<WatcherGroup> untriggered = new ArrayList<>();
    private final Map<Name, Map<String, List<WatcherGroup>>> triggered = new LinkedHashMap<>();

    void add(WatchMailbox watcher) {
        WatcherGroup group = groups.get(watcher.filter());
        if (group == null) {
            group = new WatcherGroup(watcher.filter());
            groups.put(watcher.filter(), group);
            for (List<WatcherGroup> place : placesOf(group)) {
                place.add(group);
            }
        }
        group.watchers().add(watcher);
    }

    /**
     * @return whether no watch is left
     */
    boolean remove(WatchMailbox watcher) {
        WatcherGroup group = groups.get(watcher.filter());
        if (group != null && group.watchers().remove(watcher) && group.watchers().isEmpty()) {
            groups.remove(watcher.filter());
            removeFromPlaces(group);
        }
        return groups.isEmpty();
    }

    void collect(List<WatchMailbox> all) {
        groups.values().forEach(group -> all.addAll(group.watchers()));
    }

    void addPending(EncodedEvent event, List<WatcherGroup> touched) {
        for (WatcherGroup group : untriggered) {
            addPendingIn(group, event, touched);
        }
        for (Map.Entry<Name, Map<String, List<WatcherGroup>>> entry : triggered.entrySet()) {
            for (WatcherGroup group : concerned(event.change(), entry.getKey(), entry.getValue())) {
                addPendingIn(group, event, touched);
            }
        }
    }

    /**
     * All groups when an attribute is missing and the value would have to be parsed: too slow here.
     */
    private static Set<WatcherGroup> concerned(
            ObjectChange change, Name name, Map<String, List<WatcherGroup>> byValue) {
        Set<WatcherGroup> concerned = new LinkedHashSet<>();
        String now = name.valueIn(change.current());
        String before = name.valueIn(change.previous());
        if (now == null || before == null) {
            byValue.values().forEach(concerned::addAll);
        } else {
            concerned.addAll(byValue.getOrDefault(now, List.of()));
            // A set: a group that selects both values is in it once.
            concerned.addAll(byValue.getOrDefault(before, List.of()));
        }
        return concerned;
    }

    private static void addPendingIn(
            WatcherGroup group, EncodedEvent event, List<WatcherGroup> touched) {
        if (group.addPending(event)) {
            touched.add(group);
        }
    }

    private List<List<WatcherGroup>> placesOf(WatcherGroup group) {
        Optional<Requirement> trigger = WatcherGroup.trigger(group.filter().selection());
        if (trigger.isEmpty()) {
            return List.of(untriggered);
        }
        Map<String, List<WatcherGroup>> byValue =
                triggered.computeIfAbsent(
                        new Name(trigger.get().source(), trigger.get().name()),
                        _ -> new HashMap<>());
        List<List<WatcherGroup>> places = new ArrayList<>();
        for (String value : trigger.get().values()) {
            places.add(byValue.computeIfAbsent(value, _ -> new ArrayList<>()));
        }
        return places;
    }

    private void removeFromPlaces(WatcherGroup group) {
        Optional<Requirement> trigger = WatcherGroup.trigger(group.filter().selection());
        if (trigger.isEmpty()) {
            untriggered.remove(group);
            return;
        }
        Name name = new Name(trigger.get().source(), trigger.get().name());
        Map<String, List<WatcherGroup>> byValue = triggered.getOrDefault(name, Map.of());
        for (String value : trigger.get().values()) {
            List<WatcherGroup> place = byValue.getOrDefault(value, List.of());
            place.remove(group);
            if (place.isEmpty()) {
                byValue.remove(value);
            }
        }
        if (byValue.isEmpty()) {
            triggered.remove(name);
        }
    }

    /**
     * An indexed field or label. An absent label reads as empty; the filter decides exactly later.
     */
    private record Name(Source source, String name) {
        /** Null when it is not among the attributes and the value would have to be parsed. */
        @Nullable String valueIn(@Nullable StoredObject object) {
            if (object == null) {
                return "";
            }
            return switch (source) {
                case LABEL -> Objects.requireNonNullElse(object.label(name), "");
                case FIELD -> {
                    String extracted = object.extractedField(name);
                    yield extracted == null && !object.isKubernetes() ? "" : extracted;
                }
            };
        }
    }
}

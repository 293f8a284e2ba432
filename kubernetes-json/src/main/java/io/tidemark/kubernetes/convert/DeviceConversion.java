package io.tidemark.kubernetes.convert;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonNull;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.json.JsonTree.JsonText;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Converts claims for devices, and slices of devices, between the versions of {@code
 * resource.k8s.io}. v1 and v1beta2 have one form. v1beta1 and v1alpha3 have an older one: a request
 * says beside its name what it asks for, not in {@code exactly}; a device has its properties in
 * {@code basic}. In v1alpha3 a capacity is a quantity, not an object with a quantity.
 */
final class DeviceConversion {
    static final List<String> KINDS =
            List.of("ResourceClaim", "ResourceClaimTemplate", "ResourceSlice");
    static final List<String> VERSIONS =
            List.of(
                    "resource.k8s.io/v1",
                    "resource.k8s.io/v1beta2",
                    "resource.k8s.io/v1beta1",
                    "resource.k8s.io/v1alpha3");

    private static final Map<String, Form> FORMS =
            Map.of(
                    "resource.k8s.io/v1beta1", Form.BASIC,
                    "resource.k8s.io/v1alpha3", Form.BASIC_WITH_QUANTITIES);

    private static final String NAME = "name";
    private static final String EXACTLY = "exactly";
    private static final String BASIC = "basic";
    private static final String CAPACITY = "capacity";
    private static final String VALUE = "value";

    /** What a request that is not a choice asks for. */
    private static final List<String> ASKED =
            List.of(
                    "deviceClassName",
                    "selectors",
                    "allocationMode",
                    "count",
                    "adminAccess",
                    "tolerations",
                    CAPACITY);

    private enum Form {
        BASIC_WITH_QUANTITIES,
        BASIC,
        NEWEST
    }

    private DeviceConversion() {}

    /**
     * An object in another version's form.
     *
     * @param from and {@code to}: of {@link #VERSIONS}
     */
    static JsonObject convert(JsonObject object, String from, String to) {
        Form was = FORMS.getOrDefault(from, Form.NEWEST);
        Form is = FORMS.getOrDefault(to, Form.NEWEST);
        if (was == is) {
            return object;
        }
        JsonObject newest =
                was == Form.NEWEST
                        ? object
                        : converted(
                                object,
                                device -> newestDevice(device, was),
                                DeviceConversion::exactRequest);
        return is == Form.NEWEST
                ? newest
                : converted(
                        newest, device -> basicDevice(device, is), DeviceConversion::flatRequest);
    }

    private static JsonObject converted(
            JsonObject object,
            UnaryOperator<JsonObject> device,
            UnaryOperator<JsonObject> request) {
        UnaryOperator<JsonObject> claimSpec =
                spec ->
                        changed(
                                spec,
                                "devices",
                                devices -> changedElements(devices, "requests", request));
        UnaryOperator<JsonObject> spec =
                switch (object.text("kind")) {
                    case "ResourceSlice" -> slice -> changedElements(slice, "devices", device);
                    case "ResourceClaimTemplate" ->
                            template -> changed(template, "spec", claimSpec);
                    default -> claimSpec;
                };
        return changed(object, "spec", spec);
    }

    /** A device of the older form always has {@code basic}. */
    private static JsonObject basicDevice(JsonObject device, Form form) {
        Map<String, JsonTree> basic = new HashMap<>(device.members());
        JsonTree name = basic.remove(NAME);
        if (form == Form.BASIC_WITH_QUANTITIES) {
            changeCapacities(basic, DeviceConversion::quantity);
        }
        Map<String, JsonTree> members = new HashMap<>();
        put(members, NAME, name);
        members.put(BASIC, new JsonObject(basic));
        return new JsonObject(members);
    }

    private static JsonObject newestDevice(JsonObject device, Form form) {
        Map<String, JsonTree> members = new HashMap<>(device.object(BASIC).members());
        if (form == Form.BASIC_WITH_QUANTITIES) {
            changeCapacities(members, quantity -> new JsonObject(Map.of(VALUE, quantity)));
        }
        put(members, NAME, device.get(NAME));
        return new JsonObject(members);
    }

    private static void changeCapacities(
            Map<String, JsonTree> device, UnaryOperator<JsonTree> change) {
        if (device.get(CAPACITY) instanceof JsonObject(Map<String, JsonTree> capacities)) {
            Map<String, JsonTree> changed = new LinkedHashMap<>();
            capacities.forEach((name, capacity) -> changed.put(name, change.apply(capacity)));
            device.put(CAPACITY, new JsonObject(changed));
        }
    }

    private static JsonTree quantity(JsonTree capacity) {
        JsonTree value = capacity instanceof JsonObject object ? object.get(VALUE) : null;
        return value == null ? new JsonText("0") : value;
    }

    private static JsonObject flatRequest(JsonObject request) {
        Map<String, JsonTree> members = new HashMap<>(request.object(EXACTLY).members());
        members.putAll(request.members());
        members.remove(EXACTLY);
        return new JsonObject(members);
    }

    /** The API server makes {@code exactly} only for a request that asks for something there. */
    private static JsonObject exactRequest(JsonObject request) {
        Map<String, JsonTree> members = new HashMap<>(request.members());
        Map<String, JsonTree> exactly = new HashMap<>();
        for (String name : ASKED) {
            JsonTree value = members.remove(name);
            if (isSet(value)) {
                put(exactly, name, value);
            }
        }
        if (!exactly.isEmpty()) {
            members.put(EXACTLY, new JsonObject(exactly));
        }
        return new JsonObject(members);
    }

    private static boolean isSet(@Nullable JsonTree value) {
        return switch (value) {
            case null -> false;
            case JsonNull _ -> false;
            case JsonText(String text) -> !text.isEmpty();
            default -> true;
        };
    }

    private static void put(Map<String, JsonTree> members, String name, @Nullable JsonTree value) {
        if (value != null) {
            members.put(name, value);
        }
    }

    /** The object with a member that is an object changed. */
    private static JsonObject changed(
            JsonObject object, String name, UnaryOperator<JsonObject> change) {
        if (!(object.get(name) instanceof JsonObject member)) {
            return object;
        }
        Map<String, JsonTree> members = new HashMap<>(object.members());
        members.put(name, change.apply(member));
        return new JsonObject(members);
    }

    /** The object with those elements of a list changed that are objects. */
    private static JsonObject changedElements(
            JsonObject object, String name, UnaryOperator<JsonObject> change) {
        if (!(object.get(name) instanceof JsonArray(List<JsonTree> elements))) {
            return object;
        }
        Map<String, JsonTree> members = new HashMap<>(object.members());
        members.put(
                name,
                new JsonArray(
                        elements.stream()
                                .map(element ->
                                        element instanceof JsonObject each
                                                ? change.apply(each)
                                                : element)
                                .toList()));
        return new JsonObject(members);
    }
}

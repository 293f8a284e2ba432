package io.tidemark.kubernetes.convert;

import io.tidemark.kubernetes.json.JsonTree;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonNull;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import io.tidemark.kubernetes.json.JsonTree.JsonText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Converts claims for devices, and slices of devices, between the versions of {@code
 * resource.k8s.io}. v1 and v1beta2 have one form. v1beta1 has another: a request says beside its
 * name what it asks for, not in {@code exactly}; a device has its properties in {@code basic}.
 */
final class DeviceConversion {
    static final List<String> KINDS =
            List.of("ResourceClaim", "ResourceClaimTemplate", "ResourceSlice");
    static final List<String> VERSIONS =
            List.of("resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1beta1");

    private static final String OLD_FORM = "resource.k8s.io/v1beta1";
    private static final String NAME = "name";
    private static final String EXACTLY = "exactly";
    private static final String BASIC = "basic";

    /** What a request that is not a choice asks for. */
    private static final List<String> ASKED =
            List.of(
                    "deviceClassName",
                    "selectors",
                    "allocationMode",
                    "count",
                    "adminAccess",
                    "tolerations",
                    "capacity");

    private DeviceConversion() {}

    /**
     * An object in another version's form.
     *
     * @param from and {@code to}: of {@link #VERSIONS}
     */
    static JsonObject convert(JsonObject object, String from, String to) {
        boolean wasOld = from.equals(OLD_FORM);
        if (wasOld == to.equals(OLD_FORM)) {
            return object;
        }
        UnaryOperator<JsonObject> device =
                wasOld ? DeviceConversion::flatDevice : DeviceConversion::basicDevice;
        UnaryOperator<JsonObject> request =
                wasOld ? DeviceConversion::exactRequest : DeviceConversion::flatRequest;
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

    /** A device of v1beta1 always has {@code basic}. */
    private static JsonObject basicDevice(JsonObject device) {
        Map<String, JsonTree> basic = new HashMap<>(device.members());
        JsonTree name = basic.remove(NAME);
        Map<String, JsonTree> members = new HashMap<>();
        put(members, NAME, name);
        members.put(BASIC, new JsonObject(basic));
        return new JsonObject(members);
    }

    private static JsonObject flatDevice(JsonObject device) {
        Map<String, JsonTree> members = new HashMap<>(device.object(BASIC).members());
        put(members, NAME, device.get(NAME));
        return new JsonObject(members);
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

package io.tidemark.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds a resource type by plural, singular, short name or kind, alone or qualified by its group
 * ({@code deploy.apps}) or version and group ({@code deployments.v1.apps}).
 */
public final class ResourceTypes {
    private static final String ACCEPT =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
                    + "application/json";

    private final List<Named> all;

    private record Named(ResourceType type, List<String> names) {}

    private ResourceTypes(List<Named> all) {
        this.all = all;
    }

    /** Discovers the server's resource types. */
    public static ResourceTypes of(NodeApiClient api) throws IOException, InterruptedException {
        return of(api, new TimeArgument.Now());
    }

    /** Discovers the resource types of a moment. */
    static ResourceTypes of(NodeApiClient api, TimeArgument moment)
            throws IOException, InterruptedException {
        List<Named> all = new ArrayList<>();
        for (String path : List.of("/api", "/apis")) {
            for (JsonNode group : api.get(moment.base() + path, ACCEPT).json().path("items")) {
                String groupName = group.path("metadata").path("name").asText();
                for (JsonNode version : group.path("versions")) {
                    for (JsonNode resource : version.path("resources")) {
                        all.add(named(groupName, version.path("version").asText(), resource));
                    }
                }
            }
        }
        return new ResourceTypes(all);
    }

    private static Named named(String group, String version, JsonNode resource) {
        String plural = resource.path("resource").asText();
        String kind = resource.path("responseKind").path("kind").asText();
        List<String> names = new ArrayList<>();
        names.add(plural);
        names.add(resource.path("singularResource").asText());
        names.add(kind);
        resource.path("shortNames").forEach(name -> names.add(name.asText()));
        names.replaceAll(name -> name.toLowerCase(Locale.ROOT));
        boolean namespaced = resource.path("scope").asText().equals("Namespaced");
        return new Named(new ResourceType(group, version, plural, kind, namespaced), names);
    }

    /**
     * Finds a type. Of several versions it is the group's preferred one, of several groups the
     * first in the server's order.
     *
     * @throws UsageException when no type matches
     */
    public ResourceType find(String text) {
        return known(text).orElseThrow(() -> new UsageException(unknown(text)));
    }

    /** The same; empty when no type matches. */
    Optional<ResourceType> known(String text) {
        String lowered = text.toLowerCase(Locale.ROOT);
        for (Named named : all) {
            ResourceType type = named.type();
            for (String name : named.names()) {
                if (lowered.equals(name)
                        || lowered.equals(name + "." + type.group())
                        || lowered.equals(name + "." + type.version() + "." + type.group())) {
                    return Optional.of(type);
                }
            }
        }
        return Optional.empty();
    }

    /** Why no type matches. */
    String unknown(String text) {
        return "the server has no resource '%s'%s"
                .formatted(text, suggestion(text.toLowerCase(Locale.ROOT)));
    }

    private String suggestion(String lowered) {
        List<String> close =
                all.stream()
                        .filter(named ->
                                named.names().stream()
                                        .anyMatch(name ->
                                                lowered.length() > 2
                                                        && (name.startsWith(lowered)
                                                                || lowered.startsWith(name)
                                                                        && name.length() > 2)))
                        .map(named -> named.type().qualified())
                        .distinct()
                        .limit(3)
                        .toList();
        return close.isEmpty()
                ? "; 'kubectl api-resources' against it lists its resources"
                : "; did you mean " + String.join(" or ", close) + "?";
    }
}

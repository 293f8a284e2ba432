package io.tidemark.query.table;

import static io.tidemark.query.table.RowCells.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.table.RowCells.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Cells of services, endpoints, ingresses and other things of the network. */
final class NetworkCells {
    private static final int SHOWN = 3;
    private static final String NONE = "<none>";

    private NetworkCells() {}

    static void addTo(Map<String, Cell> cells) {
        cells.put("endpoints", in -> text(endpoints(in)));
        cells.put("slicePorts", in -> text(slicePorts(in)));
        cells.put("sliceEndpoints", in -> text(sliceEndpoints(in)));
        cells.put("serviceClusterIp", in -> text(clusterIp(in)));
        cells.put("serviceExternalIp", in -> text(externalIp(in)));
        cells.put("servicePorts", in -> text(servicePorts(in)));
        cells.put("ingressHosts", in -> text(ingressHosts(in)));
        cells.put(
                "ingressAddress",
                in -> text(String.join(",", addresses(in.at("status.loadBalancer.ingress")))));
        cells.put("ingressPorts", in -> text(in.at("spec.tls").isEmpty() ? "80" : "80, 443"));
        cells.put("ingressClassParameters", in -> text(classParameters(in)));
        cells.put("networkPolicySelector", in -> GeneralCells.selector(in.at("spec.podSelector")));
        cells.put("parentRef", in -> text(parent(in)));
        cells.put("serviceCidrs", in -> text(String.join(",", values(in.at("spec.cidrs")))));
    }

    private static String endpoints(CellInput in) {
        if (in.at("subsets").isEmpty()) {
            return NONE;
        }
        List<String> list = new ArrayList<>();
        for (JsonNode subset : in.at("subsets")) {
            List<String> hosts = CellInput.texts(subset.path("addresses"), "ip");
            if (subset.path("ports").isEmpty()) {
                list.addAll(hosts);
            }
            for (JsonNode port : subset.path("ports")) {
                for (String host : hosts) {
                    list.add(
                            (host.indexOf(':') < 0 ? host : "[" + host + "]")
                                    + ":"
                                    + port.path("port").asLong());
                }
            }
        }
        return CellInput.shortened(list, SHOWN, ",");
    }

    private static String slicePorts(CellInput in) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : in.at("ports")) {
            ports.add(port.path("port").asText(port.path("name").asText("*")));
        }
        return CellInput.orElse(CellInput.shortened(ports, SHOWN, ","), "<unset>");
    }

    private static String sliceEndpoints(CellInput in) {
        List<String> addresses = new ArrayList<>();
        in.at("endpoints")
                .forEach(endpoint -> addresses.addAll(values(endpoint.path("addresses"))));
        return CellInput.orElse(CellInput.shortened(addresses, SHOWN, ","), "<unset>");
    }

    private static String clusterIp(CellInput in) {
        String first = in.at("spec.clusterIPs").path(0).asText("");
        return CellInput.orElse(first, in.text("spec.clusterIP", NONE));
    }

    private static String externalIp(CellInput in) {
        List<String> external = values(in.at("spec.externalIPs"));
        return switch (in.text("spec.type")) {
            case "ClusterIP", "NodePort" -> external.isEmpty() ? NONE : String.join(",", external);
            case "LoadBalancer" -> {
                List<String> all = new ArrayList<>(addresses(in.at("status.loadBalancer.ingress")));
                all.addAll(external);
                yield all.isEmpty() ? "<pending>" : String.join(",", all);
            }
            case "ExternalName" -> in.text("spec.externalName");
            default -> "<unknown>";
        };
    }

    private static String servicePorts(CellInput in) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : in.at("spec.ports")) {
            long nodePort = port.path("nodePort").asLong();
            ports.add(
                    port.path("port").asLong()
                            + (nodePort > 0 ? ":" + nodePort : "")
                            + "/"
                            + port.path("protocol").asText(""));
        }
        return CellInput.orElse(String.join(",", ports), NONE);
    }

    /** The number of hidden ones counts rules, with or without a host. */
    private static String ingressHosts(CellInput in) {
        List<String> hosts = new ArrayList<>();
        boolean more = false;
        for (JsonNode rule : in.at("spec.rules")) {
            more |= hosts.size() == SHOWN;
            String host = rule.path("host").asText("");
            if (!more && !host.isEmpty()) {
                hosts.add(host);
            }
        }
        if (hosts.isEmpty()) {
            return "*";
        }
        String shown = String.join(",", hosts);
        return more ? shown + " + " + (in.at("spec.rules").size() - SHOWN) + " more..." : shown;
    }

    private static String classParameters(CellInput in) {
        if (!in.isSet("spec.parameters")) {
            return NONE;
        }
        String group = in.text("spec.parameters.apiGroup");
        return in.text("spec.parameters.kind")
                + (group.isEmpty() ? "" : "." + group)
                + "/"
                + in.text("spec.parameters.name");
    }

    private static String parent(CellInput in) {
        if (!in.isSet("spec.parentRef")) {
            return NONE;
        }
        String group = in.text("spec.parentRef.group");
        String resource = in.text("spec.parentRef.resource") + (group.isEmpty() ? "" : "." + group);
        String namespace = in.text("spec.parentRef.namespace");
        return resource.toLowerCase(Locale.ROOT)
                + (namespace.isEmpty() ? "" : "/" + namespace)
                + "/"
                + in.text("spec.parentRef.name");
    }

    /** Sorted, each once. */
    private static List<String> addresses(JsonNode ingress) {
        TreeSet<String> addresses = new TreeSet<>();
        for (JsonNode point : ingress) {
            String address =
                    CellInput.orElse(
                            point.path("ip").asText(""), point.path("hostname").asText(""));
            if (!address.isEmpty()) {
                addresses.add(address);
            }
        }
        return List.copyOf(addresses);
    }

    static List<String> values(JsonNode elements) {
        List<String> values = new ArrayList<>();
        elements.forEach(element -> values.add(element.asText("")));
        return values;
    }
}

package io.tidemark.query.catalog;

import io.tidemark.record.Bytes;
import java.util.List;

/**
 * A served resource: how it is named on the wire, and where it lies in etcd.
 *
 * @param group empty for the core group
 * @param keyPrefix etcd prefix of all its objects, with the slash: {@code /registry/pods/}
 * @param custom whether a CustomResourceDefinition declares it
 * @param selectableFields paths that a field selector may name, besides metadata.name (and
 *     metadata.namespace when it is namespaced)
 * @param columns what a Table of it shows, in order; empty for Name and Created At
 * @param conversion what makes a stored object one of this version
 * @param schema by which a custom resource is read
 */
public record Resource(
        String group,
        String version,
        String plural,
        String singular,
        String kind,
        boolean namespaced,
        boolean custom,
        List<String> shortNames,
        List<String> categories,
        List<String> selectableFields,
        List<Column> columns,
        Bytes keyPrefix,
        Conversion conversion,
        CustomSchema schema) {
    public Resource {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        selectableFields = List.copyOf(selectableFields);
        columns = List.copyOf(columns);
    }

    /** A resource that is served by its bytes. */
    public Resource(
            String group,
            String version,
            String plural,
            String singular,
            String kind,
            boolean namespaced,
            boolean custom,
            List<String> shortNames,
            List<String> categories,
            List<String> selectableFields,
            List<Column> columns,
            Bytes keyPrefix,
            Conversion conversion) {
        this(
                group,
                version,
                plural,
                singular,
                kind,
                namespaced,
                custom,
                shortNames,
                categories,
                selectableFields,
                columns,
                keyPrefix,
                conversion,
                CustomSchema.NONE);
    }

    /** A resource that is stored in the version it is served in. */
    public Resource(
            String group,
            String version,
            String plural,
            String singular,
            String kind,
            boolean namespaced,
            boolean custom,
            List<String> shortNames,
            List<String> categories,
            List<String> selectableFields,
            List<Column> columns,
            Bytes keyPrefix) {
        this(
                group,
                version,
                plural,
                singular,
                kind,
                namespaced,
                custom,
                shortNames,
                categories,
                selectableFields,
                columns,
                keyPrefix,
                new Conversion(group.isEmpty() ? version : group + "/" + version, false));
    }

    /** The same, read by a schema. */
    Resource withSchema(CustomSchema newSchema) {
        return new Resource(
                group,
                version,
                plural,
                singular,
                kind,
                namespaced,
                custom,
                shortNames,
                categories,
                selectableFields,
                columns,
                keyPrefix,
                conversion,
                newSchema);
    }

    /** {@code v1} or {@code apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** {@code pods} or {@code deployments.apps}, as error messages name it. */
    public String qualifiedName() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /**
     * A Table column.
     *
     * @param type and {@code format}: as in a Table's columnDefinitions
     * @param priority 0 is always shown, above it only when wide
     * @param path for a custom resource a JSONPath, such as {@code .spec.replicas}. For a built-in
     *     one: a dotted path, perhaps followed by {@code |} and what stands for a missing value;
     *     {@code text:} before it makes the value a string, {@code count:} the number of its
     *     elements; or {@code fn:NAME} for a cell that a function of the table package computes
     */
    public record Column(
            String name,
            String type,
            String format,
            String description,
            int priority,
            String path) {}

    /**
     * How a stored object becomes one of the served version.
     *
     * @param storedApiVersion the version in which objects are written
     * @param byName whether another version of the same group differs in its apiVersion only, so
     *     that writing this resource's in its place is the whole conversion
     */
    public record Conversion(String storedApiVersion, boolean byName) {}
}

package io.tidemark.query.catalog;

import io.tidemark.record.Bytes;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A served resource: its names on the wire and its place in etcd.
 *
 * @param group empty for the core group
 * @param listKind the kind of its lists; a definition may choose another than {@code KindList}
 * @param keyPrefix etcd prefix of all its objects, with the slash: {@code /registry/pods/}
 * @param custom whether a CustomResourceDefinition declares it
 * @param selectableFields paths that a field selector may name, besides metadata.name (and
 *     metadata.namespace when it is namespaced)
 * @param columns its Table columns, in order; empty for Name and Created At
 * @param conversion converts a stored object to this version
 * @param schema the schema of a custom resource
 * @param subresources the subresources of its objects, by name
 * @param warning Warning header of every response about it; empty for none
 */
public record Resource(
        String group,
        String version,
        String plural,
        String singular,
        String kind,
        String listKind,
        boolean namespaced,
        boolean custom,
        List<String> shortNames,
        List<String> categories,
        List<String> selectableFields,
        List<Column> columns,
        Bytes keyPrefix,
        Conversion conversion,
        CustomSchema schema,
        Map<String, Subresource> subresources,
        String warning) {
    public Resource {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        selectableFields = List.copyOf(selectableFields);
        columns = List.copyOf(columns);
        subresources = Map.copyOf(subresources);
    }

    /** A resource whose lists have the usual kind, without schema, subresources and warning. */
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
                usualListKind(kind),
                namespaced,
                custom,
                shortNames,
                categories,
                selectableFields,
                columns,
                keyPrefix,
                conversion,
                CustomSchema.NONE,
                Map.of(),
                "");
    }

    /** The kind of lists that the API server uses where none is declared. */
    static String usualListKind(String kind) {
        return kind + "List";
    }

    /** A copy with more selectable fields. */
    public Resource withSelectableFields(Set<String> more) {
        Set<String> fields = new LinkedHashSet<>(selectableFields);
        fields.addAll(new TreeSet<>(more));
        return with(List.copyOf(fields), schema, subresources, warning);
    }

    /** A copy with another schema. */
    Resource withSchema(CustomSchema newSchema) {
        return with(selectableFields, newSchema, subresources, warning);
    }

    /** A copy with other subresources. */
    Resource withSubresources(Map<String, Subresource> newSubresources) {
        return with(selectableFields, schema, newSubresources, warning);
    }

    /** A copy with another warning. */
    Resource withWarning(String newWarning) {
        return with(selectableFields, schema, subresources, newWarning);
    }

    private Resource with(
            List<String> newSelectableFields,
            CustomSchema newSchema,
            Map<String, Subresource> newSubresources,
            String newWarning) {
        return new Resource(
                group,
                version,
                plural,
                singular,
                kind,
                listKind,
                namespaced,
                custom,
                shortNames,
                categories,
                newSelectableFields,
                columns,
                keyPrefix,
                conversion,
                newSchema,
                newSubresources,
                newWarning);
    }

    /** {@code v1} or {@code apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /**
     * All that the served bytes of an object depend on besides the object and the form. It is
     * another one after a change of the schema; take it before the bytes are made.
     */
    public Object servedForm() {
        return List.of(apiVersion(), kind, custom, conversion, schema.generation());
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
     *     one: a dotted path, perhaps followed by {@code |} and what stands for a missing or empty
     *     value, or by {@code ||} and what stands for a missing one only; {@code text:} before it
     *     makes the value a string, {@code count:} the number of its elements; or {@code fn:NAME}
     *     for a cell that a function of the table package computes
     */
    public record Column(
            String name,
            String type,
            String format,
            String description,
            int priority,
            String path) {}

    /**
     * How stored objects are converted to the served version.
     *
     * @param storedApiVersion the version in which objects are stored
     * @param byName whether another version of the same group differs in its apiVersion only, so
     *     that writing this resource's in its place is the whole conversion
     */
    public record Conversion(String storedApiVersion, boolean byName) {}
}

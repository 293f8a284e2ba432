package io.tidemark.standalone;

/** Example commands that {@code up} prints when it is ready. */
final class Suggestions {
    private Suggestions() {}

    static String ofDemo(String url, String prefix) {
        return """

        Try, in another terminal:
          kubectl --server %1$s get pods -A
          kubectl --server %1$s get pods -n harbour -w
          kubectl --server %1$s get nodes -o wide
          kubectl --server %1$s get voyages -A
          kubectl --server %1$s get pods -A -l tier=frontend
          kubectl --server %1$s get pods -A --field-selector spec.nodeName=pier-1
          kubectl --server %1$s get deployment -n market storefront -o yaml
          curl '%1$s/api/v1/namespaces/harbour/pods?limit=1'
          curl '%1$s/kv%2$snamespaces/'
        """
                .formatted(url, prefix);
    }

    static String ofCluster(String url, String prefix) {
        return """

        Try, in another terminal:
          kubectl --server %1$s api-resources
          kubectl --server %1$s get namespaces
          kubectl --server %1$s get pods -A
          curl '%1$s/kv%2$s?limit=10'
          curl '%1$s/readyz?verbose'
        """
                .formatted(url, prefix);
    }
}

package io.tidemark.standalone.screen;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Example commands that {@code up} prints when it is ready. */
public final class Suggestions {
    /** A word that every shell leaves as it is. */
    private static final Pattern PLAIN_WORD = Pattern.compile("[\\w@%+=:,./-]+");

    private Suggestions() {}

    /**
     * @param authority file by which clients trust the certificate that {@code up} made
     */
    public static String ofDemo(String url, String prefix, Optional<Path> authority) {
        return """

        Open %1$s/ui/ in a browser, or try, in another terminal:
          kubectl --server %3$s get pods -A
          kubectl --server %3$s get pods -n harbour -w
          kubectl --server %3$s get nodes -o wide
          kubectl --server %3$s get voyages -A
          kubectl --server %3$s get pods -A -l tier=frontend
          kubectl --server %3$s get pods -A --field-selector spec.nodeName=pier-1
          kubectl --server %3$s get deployment -n market storefront -o yaml
          curl %4$s'%1$s/api/v1/namespaces/harbour/pods?limit=1'
          curl %4$s'%1$s/kv%2$snamespaces/'
        """
                .formatted(url, prefix, ofKubectl(url, authority), ofCurl(authority));
    }

    /**
     * @param authority file by which clients trust the certificate that {@code up} made
     */
    public static String ofCluster(String url, String prefix, Optional<Path> authority) {
        return """

        Open %1$s/ui/ in a browser, or try, in another terminal:
          kubectl --server %3$s api-resources
          kubectl --server %3$s get namespaces
          kubectl --server %3$s get pods -A
          curl %4$s'%1$s/kv%2$s?limit=10'
          curl %4$s'%1$s/readyz?verbose'
        """
                .formatted(url, prefix, ofKubectl(url, authority), ofCurl(authority));
    }

    /** kubectl asks for a user name when it has no credentials for https. */
    private static String ofKubectl(String url, Optional<Path> authority) {
        String trusting =
                authority.map(file -> " --certificate-authority " + quoted(file)).orElse("");
        return url.startsWith("https:") ? url + trusting + " --token none" : url;
    }

    private static String ofCurl(Optional<Path> authority) {
        return authority.map(file -> "--cacert " + quoted(file) + " ").orElse("");
    }

    /** As one word of a shell. */
    private static String quoted(Path file) {
        String text = file.toString();
        return PLAIN_WORD.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}

package io.tidemark.query.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Kubernetes version that the server reports; clients choose features by it.
 *
 * @param gitVersion such as {@code v1.36.0}
 */
record ServerVersion(String gitVersion) {
    private static final Pattern FORM =
            Pattern.compile("v([0-9]{1,4})\\.([0-9]{1,4})\\.[0-9]{1,4}([-+][-+.0-9A-Za-z]{1,64})?");

    ServerVersion {
        if (!FORM.matcher(gitVersion).matches()) {
            throw new IllegalArgumentException(
                    "expected a Kubernetes version such as v1.36.0, got " + gitVersion);
        }
    }

    ObjectNode document() {
        Matcher parts = FORM.matcher(gitVersion);
        String major = parts.matches() ? parts.group(1) : "";
        String minor = parts.group(2);
        int before = Math.max(0, Integer.parseInt(minor) - 1);
        return JsonNodeFactory.instance
                .objectNode()
                .put("major", major)
                .put("minor", minor)
                .put("emulationMajor", major)
                .put("emulationMinor", minor)
                .put("minCompatibilityMajor", major)
                .put("minCompatibilityMinor", Integer.toString(before))
                .put("gitVersion", gitVersion)
                .put("gitCommit", "")
                .put("gitTreeState", "")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "")
                .put("compiler", "")
                .put("platform", "");
    }
}

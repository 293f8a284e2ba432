package io.tidemark.query.select;

import io.tidemark.json.GoQuote;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Kubernetes' validation of label keys and values, with its messages. */
final class LabelRules {
    private static final int MAX_NAME = 63;
    private static final int MAX_DOMAIN = 253;
    private static final String NAME_FORMAT = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String DOMAIN_FORMAT =
            "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
    private static final String NAME_TEXT =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
                    + " an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc',"
                    + " regex used for validation is '"
                    + NAME_FORMAT
                    + "')";
    private static final String VALUE_TEXT =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
                    + " or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'MyValue',  or 'my_value',  or '12345', regex used for validation is '("
                    + NAME_FORMAT
                    + ")?')";
    private static final String DOMAIN_TEXT =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                    + " '-' or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'example.com', regex used for validation is '"
                    + DOMAIN_FORMAT
                    + "')";
    private static final String TOO_LONG = "must be no more than %d bytes";

    // Written without alternatives that overlap: the reference's forms would backtrack.
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]*+(?<=[A-Za-z0-9]))?+");
    private static final Pattern DOMAIN =
            Pattern.compile(
                    "[a-z0-9](?:[-a-z0-9]*+(?<=[a-z0-9]))?+"
                            + "(?:\\.[a-z0-9](?:[-a-z0-9]*+(?<=[a-z0-9]))?+)*+");
    private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]++");

    private LabelRules() {}

    static String invalid(String path, String value, String why) {
        return path + ": Invalid value: " + GoQuote.string(value) + ": " + why;
    }

    static boolean isInteger(String value) {
        if (!INTEGER.matcher(value).matches()) {
            return false;
        }
        try {
            long _ = Long.parseLong(value);
            return true;
        } catch (NumberFormatException _) {
            return false;
        }
    }

    static List<String> valueErrors(String value) {
        List<String> errors = new ArrayList<>();
        if (bytes(value) > MAX_NAME) {
            errors.add(TOO_LONG.formatted(MAX_NAME));
        }
        if (!value.isEmpty() && !NAME.matcher(value).matches()) {
            errors.add(VALUE_TEXT);
        }
        return errors;
    }

    static List<String> keyErrors(String key) {
        List<String> errors = new ArrayList<>();
        String[] parts = key.split("/", -1);
        if (parts.length > 2) {
            errors.add(
                    "a qualified name "
                            + NAME_TEXT
                            + " with an optional DNS subdomain prefix and '/' (e.g."
                            + " 'example.com/MyName')");
            return errors;
        }
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                errors.add("prefix part must be non-empty");
            } else {
                domainErrors(parts[0]).forEach(error -> errors.add("prefix part " + error));
            }
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            errors.add("name part must be non-empty");
        } else if (bytes(name) > MAX_NAME) {
            errors.add("name part " + TOO_LONG.formatted(MAX_NAME));
        }
        if (!NAME.matcher(name).matches()) {
            errors.add("name part " + NAME_TEXT);
        }
        return errors;
    }

    private static List<String> domainErrors(String domain) {
        List<String> errors = new ArrayList<>();
        if (bytes(domain) > MAX_DOMAIN) {
            errors.add(TOO_LONG.formatted(MAX_DOMAIN));
        }
        if (!DOMAIN.matcher(domain).matches()) {
            errors.add(DOMAIN_TEXT);
        }
        return errors;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}

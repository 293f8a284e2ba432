package io.tidemark.authentication.jwt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.authentication.StrictYaml;
import io.tidemark.authentication.jwt.IssuerSettings.Keys;
import io.tidemark.authentication.jwt.IssuerSettings.Mapping;
import io.tidemark.authentication.jwt.IssuerSettings.Prefixed;
import io.tidemark.credentials.PemText;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads issuers from YAML or JSON: an API server's {@code AuthenticationConfiguration} without
 * expressions, and two members besides: {@code jwksFile} of an issuer, and {@code serviceAccounts}.
 */
final class IssuerFile {
    private static final int MAX_BYTES = 256 << 10;

    /** Most issuers, and most elements of each list. */
    private static final int MOST = 64;

    private static final String GROUP = "apiserver.config.k8s.io/";
    private static final String KIND = "AuthenticationConfiguration";
    private static final String WELL_KNOWN = "/.well-known/openid-configuration";

    private final Path folder;

    private IssuerFile(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        this.folder = parent == null ? file.toAbsolutePath() : parent;
    }

    /**
     * @throws IOException when it, or a file that it names, cannot be read, or is above 256 KiB;
     *     the message is a sentence that names the file
     * @throws IllegalArgumentException when it has no issuer, or something that is not supported;
     *     likewise, with the place in the file
     */
    static IssuerSettings.File read(Path file) throws IOException {
        byte[] content = bytes(file);
        try {
            return new IssuerFile(file).parse(StrictYaml.document(content));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "the file %s is neither YAML nor JSON: %s"
                            .formatted(file, e.getOriginalMessage()),
                    e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the file %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("the file %s is above %d bytes".formatted(file, MAX_BYTES));
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new IOException("no such file: " + file, e);
        } catch (AccessDeniedException e) {
            throw new IOException("this user has no permission to read the file " + file, e);
        }
    }

    private IssuerSettings.File parse(JsonNode root) throws IOException {
        YamlFields fields =
                new YamlFields("", root)
                        .only(Set.of("apiVersion", "kind", "jwt", "serviceAccounts"));
        if (fields.text("apiVersion").filter(it -> !it.startsWith(GROUP)).isPresent()
                || fields.text("kind").filter(it -> !it.equals(KIND)).isPresent()) {
            throw new IllegalArgumentException("it is no %s of %s".formatted(KIND, GROUP));
        }
        List<IssuerSettings> issuers = new ArrayList<>();
        for (YamlFields each : fields.list("jwt", MOST)) {
            each.only(Set.of("issuer", "claimMappings", "claimValidationRules"));
            issuers.add(issuer(each, user(each)));
        }
        for (YamlFields each : fields.list("serviceAccounts", MOST)) {
            each.only(Set.of("issuer"));
            issuers.add(issuer(each, new Mapping.ServiceAccount()));
        }
        if (issuers.isEmpty()) {
            throw new IllegalArgumentException("it names no issuer");
        }
        Set<String> urls = new HashSet<>();
        for (IssuerSettings each : issuers) {
            if (!urls.add(each.url())) {
                throw new IllegalArgumentException("it names an issuer twice: " + each.url());
            }
        }
        return new IssuerSettings.File(issuers);
    }

    private IssuerSettings issuer(YamlFields entry, Mapping mapping) throws IOException {
        YamlFields issuer =
                entry.object("issuer")
                        .only(
                                Set.of(
                                        "url",
                                        "discoveryURL",
                                        "audiences",
                                        "audienceMatchPolicy",
                                        "certificateAuthority",
                                        "jwksFile"));
        Set<String> audiences = new HashSet<>();
        issuer.list("audiences", MOST).forEach(each -> audiences.add(each.asText()));
        if (audiences.isEmpty()) {
            throw new IllegalArgumentException(
                    issuer.at("audiences")
                            + " is missing: name the audience of tokens for Tidemark");
        }
        if (issuer.text("audienceMatchPolicy").filter(it -> !it.equals("MatchAny")).isPresent()) {
            throw new IllegalArgumentException(
                    issuer.at("audienceMatchPolicy") + " must be MatchAny");
        }
        return new IssuerSettings(issuer.required("url"), audiences, keys(issuer), mapping);
    }

    private Keys keys(YamlFields issuer) throws IOException {
        String authorities = issuer.text("certificateAuthority").orElse("");
        if (issuer.has("jwksFile")) {
            if (issuer.has("discoveryURL") || !authorities.isEmpty()) {
                throw new IllegalArgumentException(
                        issuer.at("jwksFile")
                                + " is instead of discoveryURL and certificateAuthority");
            }
            String keys =
                    new String(
                            bytes(folder.resolve(issuer.required("jwksFile"))),
                            StandardCharsets.UTF_8);
            return named(issuer.at("jwksFile"), () -> new Keys.Fixed(VerificationKeys.parse(keys)));
        }
        if (!authorities.isEmpty()) {
            named(issuer.at("certificateAuthority"), () -> PemText.certificates(authorities));
        }
        URI url = https(issuer.at("url"), issuer.required("url"));
        if (issuer.has("discoveryURL")) {
            URI document = https(issuer.at("discoveryURL"), issuer.required("discoveryURL"));
            return new Keys.Discovered(document, authorities);
        }
        URI document = URI.create(url.toString().replaceAll("/$", "") + WELL_KNOWN);
        return new Keys.Discovered(document, authorities);
    }

    private static <T> T named(String place, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
        }
    }

    private static URI https(String place, String text) {
        try {
            URI uri = URI.create(text);
            if ("https".equals(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (IllegalArgumentException _) {
            // Reported below.
        }
        throw new IllegalArgumentException(
                place + " is not of the form https://HOST/PATH; or give jwksFile");
    }

    private static Mapping.User user(YamlFields entry) {
        YamlFields mappings =
                entry.object("claimMappings").only(Set.of("username", "groups", "uid"));
        Map<String, String> required = new LinkedHashMap<>();
        for (YamlFields rule : entry.list("claimValidationRules", MOST)) {
            rule.only(Set.of("claim", "requiredValue"));
            if (required.put(rule.required("claim"), rule.text("requiredValue").orElse(""))
                    != null) {
                throw new IllegalArgumentException(rule.at("claim") + " is required twice");
            }
        }
        return new Mapping.User(
                prefixed(mappings.object("username")),
                mappings.has("groups")
                        ? Optional.of(prefixed(mappings.object("groups")))
                        : Optional.empty(),
                mappings.has("uid")
                        ? mappings.object("uid").only(Set.of("claim")).required("claim")
                        : "",
                required);
    }

    /** The prefix may be empty, but must be given: without one, names of two issuers may clash. */
    private static Prefixed prefixed(YamlFields mapping) {
        mapping.only(Set.of("claim", "prefix"));
        return new Prefixed(
                mapping.required("claim"),
                mapping.text("prefix")
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        mapping.at("prefix") + " is missing; it may be \"\"")));
    }
}

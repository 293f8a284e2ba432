package io.tidemark.standalone.options;

import io.tidemark.client.UsageException;
import io.tidemark.standalone.options.security.SecretFiles;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Values of options that the command line does not give: the variable {@code TIDEMARK_NAME} unless
 * it is blank, then the entry {@code name} of the properties file, then the option's default. The
 * name is the option's long name; in variables in capitals, with underscores.
 */
public final class SettingSources implements IDefaultValueProvider {
    private static final String PREFIX = "TIDEMARK_";

    /** Variables that do not set an option. */
    private static final Set<String> OTHER_VARIABLES =
            Set.of(
                    "TIDEMARK_CONFIG",
                    "TIDEMARK_LOG",
                    "TIDEMARK_JAVA_OPTS",
                    "TIDEMARK_ETCD_BINARY",
                    "TIDEMARK_ETCD_RELEASE");

    /** Entries that require a properties file readable only by its owner. */
    private static final Set<String> SECRETS = Set.of("peer-secret", "etcd-password");

    private final Map<String, String> environment;
    private final String file;
    private final Properties properties;

    private SettingSources(Map<String, String> environment, String file, Properties properties) {
        this.environment =
                environment.entrySet().stream()
                        .filter(variable -> !variable.getValue().isBlank())
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        this.file = file;
        this.properties = properties;
    }

    /** {@code --config}, which {@link #of} reads before the parser runs. */
    public static OptionSpec configOption() {
        return OptionSpec.builder("--config")
                .paramLabel("FILE")
                .type(String.class)
                .description("Properties file with more options, one NAME=VALUE per line.")
                .build();
    }

    /**
     * Reads the properties file, if the command line or {@code TIDEMARK_CONFIG} names one.
     *
     * @throws UsageException if it cannot be read
     */
    public static SettingSources of(List<String> arguments, Map<String, String> environment) {
        String file = configFile(arguments).orElse(environment.getOrDefault("TIDEMARK_CONFIG", ""));
        Properties properties = file.isEmpty() ? new Properties() : read(file, SECRETS::contains);
        return new SettingSources(environment, file, properties);
    }

    private static Optional<String> configFile(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.startsWith("--config=")) {
                return Optional.of(argument.substring("--config=".length()));
            }
            if (argument.equals("--config") && i + 1 < arguments.size()) {
                return Optional.of(arguments.get(i + 1));
            }
        }
        return Optional.empty();
    }

    /**
     * Reads a properties file.
     *
     * @param isSecret whether an entry of that name must be readable only by the file's owner
     * @throws UsageException if it cannot be read, or holds a secret and others can read it
     */
    static Properties read(String file, Predicate<String> isSecret) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("cannot read the file " + file + ": " + reason(e));
        }
        if (properties.stringPropertyNames().stream().anyMatch(isSecret)) {
            SecretFiles.requirePrivate(Path.of(file));
        }
        return properties;
    }

    private static String reason(Exception e) {
        return e instanceof java.nio.file.NoSuchFileException
                ? "there is no such file"
                : String.valueOf(e.getMessage());
    }

    /**
     * Checks that every entry of the file is an option of some command. Commands ignore entries for
     * other commands, so that one file can serve all.
     *
     * @param optionNames long names without dashes
     * @throws UsageException naming the unknown entry
     */
    public void requireKnown(Set<String> optionNames) {
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            if (!optionNames.contains(name)) {
                throw new UsageException(
                        "the file " + file + " sets '" + name + "', which is not an option");
            }
        }
    }

    /**
     * {@code TIDEMARK_*} variables that set no option, probably misspelt; without those that an
     * orchestrator sets for a service named tidemark.
     */
    public Set<String> unknownVariables(Set<String> optionNames) {
        Set<String> unknown = new TreeSet<>();
        for (String variable : environment.keySet()) {
            if (variable.startsWith(PREFIX)
                    && !OTHER_VARIABLES.contains(variable)
                    && !variable.matches(".*_(SERVICE|PORT)(_.*)?")
                    && optionNames.stream().noneMatch(name -> variableOf(name).equals(variable))) {
                unknown.add(variable);
            }
        }
        return unknown;
    }

    /** The variable or file that a value came from; empty for the default. */
    public String originOf(String optionName) {
        if (environment.containsKey(variableOf(optionName))) {
            return variableOf(optionName);
        }
        return properties.containsKey(optionName) ? file : "";
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)) {
            return null;
        }
        String name = nameOf(option);
        String variable = environment.get(variableOf(name));
        return variable != null ? variable : properties.getProperty(name);
    }

    /** The option's name in files: its longest one, without dashes. */
    public static String nameOf(OptionSpec option) {
        return option.longestName().replaceFirst("^-+", "");
    }

    static String variableOf(String optionName) {
        return PREFIX + optionName.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}

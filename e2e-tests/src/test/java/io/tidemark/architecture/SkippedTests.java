package io.tidemark.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Prints, at the end of {@code mvn verify}, the tests that were skipped, each with its reason, and
 * what only {@code -Pnightly} runs.
 */
final class SkippedTests {
    private static final List<String> REPORTS = List.of("surefire-reports", "failsafe-reports");

    private SkippedTests() {}

    /**
     * @param arguments the project's folder, and what this run leaves out; empty in a full run
     */
    public static void main(String[] arguments) throws IOException, XMLStreamException {
        List<String> lines = new ArrayList<>(skipped(Path.of(arguments[0])));
        if (arguments.length > 1 && !arguments[1].isEmpty()) {
            lines.add(arguments[1]);
        }
        System.out.println(lines.isEmpty() ? "every test was run" : "not run:");
        lines.forEach(line -> System.out.println("  " + line));
    }

    /** Skipped tests of all modules, as {@code Class.method: reason}. */
    static Set<String> skipped(Path project) throws IOException, XMLStreamException {
        Set<String> skipped = new TreeSet<>();
        try (DirectoryStream<Path> modules =
                Files.newDirectoryStream(project, Files::isDirectory)) {
            for (Path module : modules) {
                for (String folder : REPORTS) {
                    Path reports = module.resolve("target").resolve(folder);
                    if (Files.isDirectory(reports)) {
                        try (DirectoryStream<Path> files =
                                Files.newDirectoryStream(reports, "TEST-*.xml")) {
                            for (Path file : files) {
                                skipped.addAll(skippedOf(file));
                            }
                        }
                    }
                }
            }
        }
        return skipped;
    }

    private static List<String> skippedOf(Path report) throws IOException, XMLStreamException {
        List<String> skipped = new ArrayList<>();
        String test = "";
        try (InputStream in = Files.newInputStream(report)) {
            XMLStreamReader xml = XMLInputFactory.newDefaultFactory().createXMLStreamReader(in);
            while (xml.hasNext()) {
                if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                    continue;
                }
                switch (xml.getLocalName()) {
                    case "testcase" -> test = simpleName(xml) + "." + attribute(xml, "name");
                    case "skipped" -> {
                        String message = attribute(xml, "message");
                        String text = message.isEmpty() ? xml.getElementText() : message;
                        skipped.add(test + ": " + reason(text));
                    }
                    default -> {}
                }
            }
        }
        return skipped;
    }

    private static String simpleName(XMLStreamReader testCase) {
        String name = attribute(testCase, "classname");
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String attribute(XMLStreamReader element, String name) {
        String value = element.getAttributeValue(null, name);
        return value == null ? "" : value;
    }

    /** The first line, without what JUnit and our tests put before a reason. */
    private static String reason(String message) {
        return message.strip()
                .lines()
                .findFirst()
                .map(line -> line.replaceFirst("^[\\w.]*TestAbortedException(: |$)", ""))
                .map(line -> line.replaceFirst("^Assumption failed: ", ""))
                .map(line -> line.replaceFirst("^(skipped: |assumption is not true)", ""))
                .filter(line -> !line.isBlank())
                .orElse("no reason given");
    }
}

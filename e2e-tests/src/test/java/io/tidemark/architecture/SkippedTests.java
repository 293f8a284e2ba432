package io.tidemark.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Prints, at the end of {@code mvn verify}, the tests that were skipped, by their reason, and what
 * only {@code -Pnightly} runs.
 */
final class SkippedTests {
    /** Columns of a line. */
    private static final int WIDTH = 110;

    private static final List<String> REPORTS = List.of("surefire-reports", "failsafe-reports");

    private SkippedTests() {}

    /**
     * @param arguments the project's folder, and what this run leaves out; empty in a full run
     */
    public static void main(String[] arguments) throws IOException, XMLStreamException {
        List<String> lines = new ArrayList<>(lines(skipped(Path.of(arguments[0]))));
        if (arguments.length > 1 && !arguments[1].isEmpty()) {
            lines.add(arguments[1]);
        }
        System.out.println(lines.isEmpty() ? "every test was run" : "not run:");
        lines.forEach(line -> System.out.println("  " + line));
    }

    /** {@code reason: tests}, with line breaks between tests. */
    static List<String> lines(Map<String, ? extends Set<String>> skipped) {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, ? extends Set<String>> each : skipped.entrySet()) {
            StringBuilder line = new StringBuilder(each.getKey()).append(':');
            String comma = "";
            for (String test : each.getValue()) {
                line.append(comma);
                comma = ",";
                if (line.length() + test.length() > WIDTH) {
                    lines.add(line.toString());
                    line = new StringBuilder(" ");
                }
                line.append(' ').append(test);
            }
            lines.add(line.toString());
        }
        return lines;
    }

    /** Skipped tests of all modules by their reason: a whole class, or {@code Class.method}. */
    static SortedMap<String, SortedSet<String>> skipped(Path project)
            throws IOException, XMLStreamException {
        SortedMap<String, SortedSet<String>> skipped = new TreeMap<>();
        try (DirectoryStream<Path> modules =
                Files.newDirectoryStream(project, Files::isDirectory)) {
            for (Path module : modules) {
                for (String folder : REPORTS) {
                    Path reports = module.resolve("target").resolve(folder);
                    if (Files.isDirectory(reports)) {
                        try (DirectoryStream<Path> files =
                                Files.newDirectoryStream(reports, "TEST-*.xml")) {
                            for (Path file : files) {
                                skippedOf(file, skipped);
                            }
                        }
                    }
                }
            }
        }
        return skipped;
    }

    private static void skippedOf(Path report, Map<String, SortedSet<String>> skipped)
            throws IOException, XMLStreamException {
        Map<String, SortedSet<String>> reasons = new TreeMap<>();
        String type = "";
        String method = "";
        int cases = 0;
        try (InputStream in = Files.newInputStream(report)) {
            XMLStreamReader xml = XMLInputFactory.newDefaultFactory().createXMLStreamReader(in);
            while (xml.hasNext()) {
                if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                    continue;
                }
                switch (xml.getLocalName()) {
                    case "testcase" -> {
                        type = simpleName(xml);
                        method = attribute(xml, "name");
                        cases++;
                    }
                    case "skipped" -> {
                        String message = attribute(xml, "message");
                        String text = message.isEmpty() ? xml.getElementText() : message;
                        reasons.computeIfAbsent(reason(text), each -> new TreeSet<>())
                                .add(type + "." + method);
                    }
                    default -> {}
                }
            }
        }
        for (Map.Entry<String, SortedSet<String>> each : reasons.entrySet()) {
            boolean whole = each.getValue().size() == cases;
            skipped.computeIfAbsent(each.getKey(), reason -> new TreeSet<>())
                    .addAll(whole ? Set.of(type) : each.getValue());
        }
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
                .map(line -> line.replaceFirst("^System property .* ==> ", ""))
                .map(line -> line.replaceFirst("^(skipped: |assumption is not true)", ""))
                .filter(line -> !line.isBlank())
                .orElse("no reason given");
    }
}

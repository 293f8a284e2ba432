package io.tidemark.standalone;

import picocli.CommandLine.IVersionProvider;

/** What runs: this version, on which Java, on what machine. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "tidemark " + number(),
            "Java %s (%s), %s %s"
                    .formatted(
                            System.getProperty("java.version"),
                            System.getProperty("java.vm.vendor"),
                            System.getProperty("os.name"),
                            System.getProperty("os.arch"))
        };
    }

    private static String number() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}

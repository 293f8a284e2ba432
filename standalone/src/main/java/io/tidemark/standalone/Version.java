package io.tidemark.standalone;

import picocli.CommandLine.IVersionProvider;

/** {@code --version}: versions of Tidemark, Java and the operating system. */
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

package io.tidemark.address;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The address at which others reach a listener on all addresses of this machine. */
public final class MachineAddress {
    private static final Logger LOG = LoggerFactory.getLogger(MachineAddress.class);

    private MachineAddress() {}

    /**
     * Finds the address; logs a warning when only this machine can connect to it.
     *
     * @param option that names an address instead
     */
    public static String find(String option) {
        Optional<InetAddress> found = choose(resolved(), ofInterfaces());
        if (found.isEmpty()) {
            String loopback = InetAddress.getLoopbackAddress().getHostAddress();
            LOG.warn(
                    "found no address at which other machines reach this one, advertising {}: set"
                            + " {}",
                    loopback,
                    option);
            return loopback;
        }
        return text(found.get());
    }

    /**
     * The address of this machine's name. Debian and Ubuntu give the name a loopback address in
     * {@code /etc/hosts}: then the first of an interface, IPv4 before IPv6.
     *
     * @param resolved address of this machine's name; null when it has none
     */
    static Optional<InetAddress> choose(
            @Nullable InetAddress resolved, List<InetAddress> ofInterfaces) {
        if (resolved != null && !resolved.isLoopbackAddress()) {
            return Optional.of(resolved);
        }
        return ofInterfaces.stream()
                .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                .min(Comparator.comparing(each -> !(each instanceof Inet4Address)));
    }

    /** Without the interface that Java appends to IPv6 addresses. */
    static String text(InetAddress address) {
        return address.getHostAddress().replaceFirst("%.*", "");
    }

    private static @Nullable InetAddress resolved() {
        try {
            return InetAddress.getLocalHost();
        } catch (UnknownHostException e) {
            LOG.debug("this machine's name has no address", e);
            return null;
        }
    }

    private static List<InetAddress> ofInterfaces() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(MachineAddress::isUp)
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .flatMap(NetworkInterface::inetAddresses)
                    .toList();
        } catch (SocketException e) {
            LOG.debug("this machine's interfaces cannot be listed", e);
            return List.of();
        }
    }

    private static boolean isUp(NetworkInterface each) {
        try {
            return each.isUp();
        } catch (SocketException _) {
            return false;
        }
    }
}

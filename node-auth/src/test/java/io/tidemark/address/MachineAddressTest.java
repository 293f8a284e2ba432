package io.tidemark.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineAddressTest {
    @ParameterizedTest
    @CsvSource({
        "10.1.2.3,     '127.0.0.1 192.168.1.5',               10.1.2.3",
        "127.0.1.1,    '127.0.0.1 ::1 192.168.1.5',           192.168.1.5",
        "127.0.1.1,    '169.254.7.7 203.0.113.9 192.168.1.5', 203.0.113.9",
        "127.0.1.1,    'fe80::1 fd00::7 172.17.0.1',          172.17.0.1",
        "::1,          'fe80::1 fd00::7',                     fd00:0:0:0:0:0:0:7",
        ",             '192.168.1.5',                         192.168.1.5"
    })
    void isTheResolvedAddressOrThatOfAnInterface(
            String resolved, String ofInterfaces, String expected) throws Exception {
        assertThat(MachineAddress.choose(address(resolved), addresses(ofInterfaces)))
                .map(MachineAddress::text)
                .hasValue(expected);
    }

    @Test
    void isUnknownWithLoopbackAndLinkLocalAddressesOnly() throws Exception {
        assertThat(MachineAddress.choose(address("127.0.1.1"), addresses("::1 fe80::1"))).isEmpty();
    }

    @Test
    void namesNoInterface() throws Exception {
        byte[] bytes = InetAddress.ofLiteral("fd00::7").getAddress();
        assertThat(MachineAddress.text(Inet6Address.getByAddress("", bytes, 2)))
                .isEqualTo("fd00:0:0:0:0:0:0:7");
    }

    private static InetAddress address(String text) {
        return text == null ? null : InetAddress.ofLiteral(text);
    }

    private static List<InetAddress> addresses(String texts) throws UnknownHostException {
        List<InetAddress> addresses = new ArrayList<>();
        for (String text : texts.split(" ")) {
            addresses.add(InetAddress.getByName(text));
        }
        return addresses;
    }
}

package io.dmodc.agent.linux;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.southbound.BoundedText;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Somebody whom LLDP heard at an interface, as {@code lldpcli -f json0 show neighbors details} tells of him.
 *
 * @param interfaceName of this machine
 * @param host what is to be believed of him; null: he is no host of the fabric
 * @param trouble why not; empty when he is one, or plainly something else, as a switch is
 */
record LldpNeighbour(String interfaceName, @Nullable FarEnd host, String trouble) {
    /** Longest answer that is read. */
    static final int BYTES_MAX = 4 << 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Halves of a MAC in an EUI-64 have this between them. */
    private static final long EUI_64_MIDDLE = 0xfffeL;

    /** @throws IOException when that is not what lldpcli writes */
    static List<LldpNeighbour> read(InputStream out) throws IOException {
        byte[] answer = out.readNBytes(BYTES_MAX + 1);
        if (answer.length > BYTES_MAX) {
            throw new IOException("more than " + BYTES_MAX + " bytes");
        }
        List<LldpNeighbour> all = new ArrayList<>();
        for (JsonNode lldp : JSON.readTree(answer).path("lldp")) {
            lldp.path("interface").forEach(each -> all.add(of(each)));
        }
        return all;
    }

    private static LldpNeighbour of(JsonNode neighbour) {
        String interfaceName = neighbour.path("name").asText();
        JsonNode chassis = neighbour.path("chassis").path(0);
        JsonNode port = neighbour.path("port").path(0);
        if (forwards(chassis)) {
            return new LldpNeighbour(interfaceName, null, "");
        }
        String name = name(chassis.path("name").path(0).path("value").asText());
        try {
            return new LldpNeighbour(interfaceName, host(chassis, port, name), "");
        } catch (IllegalArgumentException e) {
            return new LldpNeighbour(interfaceName, null, name + ": " + e.getMessage());
        }
    }

    /** Switches announce themselves, and what else forwards is not one destination. */
    private static boolean forwards(JsonNode chassis) {
        for (JsonNode capability : chassis.path("capability")) {
            String type = capability.path("type").asText();
            if (capability.path("enabled").asBoolean() && (type.equals("Bridge") || type.equals("Router"))) {
                return true;
            }
        }
        return false;
    }

    private static String name(String said) {
        String name = BoundedText.printable(said);
        while (name.getBytes(StandardCharsets.UTF_8).length > SouthboundProtocol.MAX_NAME_BYTES) {
            name = name.substring(0, name.offsetByCodePoints(name.length(), -1));
        }
        return name;
    }

    private static FarEnd host(JsonNode chassis, JsonNode port, String name) {
        String mac = mac(port);
        if (mac == null) {
            throw new IllegalArgumentException(
                    "its port has no MAC address as its id; expected lldpd's portidsubtype macaddress");
        }
        long guid = guid(mac);
        String ofChassis = mac(chassis);
        HostAddresses addresses = addresses(chassis.path("mgmt-ip"), mac);
        HostPort host = new HostPort(guid, ofChassis == null ? guid : guid(ofChassis), 1, name, addresses);
        HostIdentity.check(host);
        return new FarEnd(host, addresses.macText());
    }

    private static @Nullable String mac(JsonNode of) {
        JsonNode id = of.path("id").path(0);
        return id.path("type").asText().equals("mac") ? id.path("value").asText() : null;
    }

    /** The EUI-64 that the MAC address is part of. */
    static long guid(String mac) {
        long bits = HostAddresses.parse(0, null, null, mac).mac();
        if (!HostIdentity.isMac(bits)) {
            throw new IllegalArgumentException("MAC " + mac + " is no interface's");
        }
        return (bits >>> 24 << 40) | (EUI_64_MIDDLE << 24) | (bits & 0xff_ffff);
    }

    /** The first of each kind that the host can have in a fabric. */
    private static HostAddresses addresses(JsonNode managed, String mac) {
        String ipv4 = null;
        String ipv6 = null;
        for (JsonNode each : managed) {
            String text = each.path("value").asText();
            boolean six = text.indexOf(':') >= 0;
            if ((six ? ipv6 : ipv4) == null && isOfHost(six, text)) {
                ipv4 = six ? ipv4 : text;
                ipv6 = six ? text : ipv6;
            }
        }
        return HostAddresses.parse(0, ipv4, ipv6, mac);
    }

    private static boolean isOfHost(boolean six, String text) {
        try {
            HostAddresses address = HostAddresses.parse(0, six ? null : text, six ? text : null, null);
            HostIdentity.check(new HostPort(1, 1, 1, "", address));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}

package io.dmodc.agent.linux;

import io.dmodc.agent.plane.HelloChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;

/**
 * One end of a cable for {@link DirectHellosTest}, in the namespace it was started in: says a hello with the next number every 10 ms, and prints
 * {@code heard N} for each that comes, and {@code direct} or {@code multicast} when its own begin to go so.
 */
public final class CableEnd {
    private static final long PERIOD_MILLIS = 10;

    private CableEnd() {}

    /** Arguments: GUID, interface, and perhaps {@code taken}: another socket has the port of direct hellos. */
    public static void main(String[] arguments) throws Exception {
        try (DatagramChannel other = DatagramChannel.open()) {
            if (arguments.length > 2) {
                other.bind(new InetSocketAddress(DirectSocket.UDP_PORT));
            }
            talk(Long.parseLong(arguments[0]), arguments[1]);
        }
    }

    private static void talk(long guid, String interfaceName) throws Exception {
        AnnouncedCabling cabling = AnnouncedCabling.start(Announcer.ofSwitch(1, guid), 1);
        HelloChannel hellos = cabling.hellos();
        hellos.listen((port, hello) -> System.out.println("heard " + hello.getInt(0)));
        cabling.carrier(1, interfaceName);
        boolean wasDirect = false;
        for (int number = 0; ; number++) {
            boolean isDirect = cabling.isDirect(1);
            if (isDirect != wasDirect) {
                System.out.println(isDirect ? "direct" : "multicast");
                wasDirect = isDirect;
            }
            hellos.send(1, ByteBuffer.allocate(40).putInt(0, number));
            TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
        }
    }
}

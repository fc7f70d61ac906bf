package io.dmodc.demo;

import io.dmodc.keys.Authority;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.tls.TlsKeys;
import io.netty.handler.ssl.OpenSsl;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a stranger at the agents' door costs the manager, in processor time of its own threads, kernel included: one without a
 * certificate, and one with the certificate of another switch. Each try comes from another address, as what fails has to
 * stand in line otherwise. The strangers use Java's TLS on the main thread, which is not counted.
 *
 * <p>Argument: tries of a round. The first round of each kind finds the code cold.
 */
final class RogueBenchmark {
    private static final int ROUNDS = 6;
    private static final long CERTIFIED = 0x10;
    private static final long CLAIMED = 0x11;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final InetSocketAddress door;
    private int tried;

    private RogueBenchmark(InetSocketAddress door) {
        this.door = door;
    }

    public static void main(String[] arguments) throws Exception {
        int tries = Integer.parseInt(arguments[0]);
        Path state = Files.createTempDirectory("fabric-rogues");
        DemoKeys keys = DemoKeys.make(true);
        Authority authority = Objects.requireNonNull(keys.authority());
        TlsKeys other = authority.forSwitch(CERTIFIED, Instant.now(), Duration.ofDays(1));
        System.out.println("TLS of " + (OpenSsl.isAvailable() ? OpenSsl.versionString() : "the JDK"));
        try (FabricManager manager =
                new FabricManager(DemoCommand.config(state, 2), Set.of(CERTIFIED, CLAIMED), keys.ofManager())) {
            RogueBenchmark rogues = new RogueBenchmark(manager.southboundAddress());
            SSLSocketFactory nobody = context(other, false).getSocketFactory();
            SSLSocketFactory neighbour = context(other, true).getSocketFactory();
            for (int round = 1; round <= ROUNDS; round++) {
                rogues.round("no certificate", round, tries, nobody);
                rogues.round("certificate of another switch", round, tries, neighbour);
            }
        } finally {
            DemoCommand.delete(state);
        }
    }

    private void round(String kind, int round, int tries, SSLSocketFactory tls) throws IOException {
        long before = ofManagerNanos();
        int refused = 0;
        for (int i = 0; i < tries; i++) {
            refused += isRefused(tls) ? 1 : 0;
        }
        System.out.printf(
                Locale.ROOT,
                "%s, round %d: %.2f ms a try, %d of %d refused%n",
                kind,
                round,
                (ofManagerNanos() - before) / 1e6 / tries,
                refused,
                tries);
    }

    /** All threads of Java but this one: those of the compiler and the collector are none of them. */
    private static long ofManagerNanos() {
        long nanos = 0;
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && thread.getThreadId() != Thread.currentThread().getId()) {
                nanos += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return nanos;
    }

    private boolean isRefused(SSLSocketFactory tls) throws IOException {
        tried++;
        byte[] from = {127, (byte) (1 + (tried >> 16)), (byte) (tried >> 8), (byte) tried};
        // TLS is left without a word: its end would be waited for.
        try (Socket plain = new Socket(door.getAddress(), door.getPort(), InetAddress.getByAddress(from), 0)) {
            plain.setTcpNoDelay(true);
            return sayHello(tls.createSocket(plain, "127.0.0.1", door.getPort(), true))
                            .getRefusal()
                            .getReason()
                    == Refusal.Reason.WRONG_CERTIFICATE;
        } catch (IOException ended) {
            return true;
        }
    }

    private static ManagerFrame sayHello(Socket socket) throws IOException {
        byte[] hello = AgentFrame.newBuilder()
                .setHello(Hello.newBuilder()
                        .setProtocolMin(SouthboundProtocol.VERSION_MIN)
                        .setProtocolMax(SouthboundProtocol.VERSION_MAX)
                        .setSwitchGuid(CLAIMED)
                        .setIncarnation(1)
                        .setPortCount(4))
                .build()
                .toByteArray();
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(hello.length);
        out.write(hello);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        return ManagerFrame.parseFrom(in.readNBytes(in.readInt()));
    }

    private static SSLContext context(TlsKeys keys, boolean shown) throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", keys.authorities().get(0));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        context.init(shown ? managers(keys) : null, trust.getTrustManagers(), null);
        return context;
    }

    private static KeyManager @Nullable [] managers(TlsKeys keys) throws GeneralSecurityException, IOException {
        char[] noPassword = {};
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", keys.privateKey(), noPassword, keys.chain().toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, noPassword);
        return factory.getKeyManagers();
    }
}

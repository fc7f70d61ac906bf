package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.Agent;
import io.dmodc.agent.AgentConfig;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.keys.Authority;
import io.dmodc.manager.app.Main;
import io.dmodc.manager.core.Alarm;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Refusal.Reason;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeys;
import io.netty.channel.EventLoopGroup;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever cannot show that it speaks for a switch is refused, and whoever can is served; strangers come with Java's own TLS. */
class AgentsDoorTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final long LEAF = 0x10;
    private static final long OTHER_LEAF = 0x11;
    private static final char[] NO_PASSWORD = new char[0];

    @TempDir
    Path directory;

    private RunningManager manager;
    private TlsKeys ofLeaf;

    @BeforeEach
    void open() throws IOException {
        String authority = directory.resolve("authority").toString();
        Path keys = directory.resolve("keys");
        assertThat(Main.run("keys", "init", "--authority", authority)).isZero();
        assertThat(Main.run("keys", "issue", "--authority", authority, "--out", "" + keys, "127.0.0.1", "0x10"))
                .isZero();
        ofLeaf = TlsKeys.read(TlsFiles.in(keys.resolve("0x0000000000000010")));
        manager = RunningManager.open(directory, Set.of(), settings("manager"));
    }

    private Map<String, String> settings(String whose) {
        TlsFiles files = TlsFiles.in(directory.resolve("keys").resolve(whose));
        Map<String, String> settings = new HashMap<>();
        settings.put("southbound.authentication", "certificate");
        settings.put("southbound.keys.certificate", files.certificate().toString());
        settings.put("southbound.keys.private-key", files.privateKey().toString());
        settings.put("southbound.keys.authority", files.authority().toString());
        return settings;
    }

    @AfterEach
    void close() {
        manager.close();
    }

    /** A Hello over TLS with these keys, and what comes back; nothing when the connection ends without an answer. */
    private @Nullable ManagerFrame greet(@Nullable TlsKeys own, long guid) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        try {
            trusted.load(null, null);
            trusted.setCertificateEntry("authority", ofLeaf.authorities().get(0));
            trust.init(trusted);
            context.init(own == null ? null : managers(own), trust.getTrustManagers(), null);
            InetSocketAddress at = manager.southbound();
            try (Socket socket = context.getSocketFactory().createSocket(at.getAddress(), at.getPort())) {
                return sayHello(socket, guid);
            }
        } catch (IOException refused) {
            return null;
        }
    }

    private static KeyManager[] managers(TlsKeys own) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", own.privateKey(), NO_PASSWORD, own.chain().toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static ManagerFrame sayHello(Socket socket, long guid) throws IOException {
        byte[] hello = AgentFrame.newBuilder()
                .setHello(Hello.newBuilder()
                        .setProtocolMin(SouthboundProtocol.VERSION_MIN)
                        .setProtocolMax(SouthboundProtocol.VERSION_MAX)
                        .setSwitchGuid(guid)
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

    private boolean isIn(long guid) {
        return manager.ask(state -> state.findSwitch(guid) != null);
    }

    @Test
    void shouldWelcomeWhoShowsTheCertificateOfItsSwitch() throws Exception {
        ManagerFrame answer = Objects.requireNonNull(greet(ofLeaf, LEAF));

        assertThat(answer.hasWelcome()).as("%s", answer).isTrue();
    }

    @Test
    void shouldRefuseAValidCertificateOfAnotherSwitch() throws Exception {
        ManagerFrame answer = Objects.requireNonNull(greet(ofLeaf, OTHER_LEAF));

        assertThat(answer.getRefusal().getReason()).isEqualTo(Reason.WRONG_CERTIFICATE);
        assertThat(answer.getRefusal().getText())
                .isEqualTo("switch 0x0000000000000011: the certificate is for 0x0000000000000010");
        assertThat(isIn(OTHER_LEAF)).isFalse();
    }

    @Test
    void shouldRefuseWhoShowsNoCertificate() throws Exception {
        assertThat(greet(null, LEAF)).isNull();
        assertThat(isIn(LEAF)).isFalse();
    }

    @Test
    void shouldRefuseCertificatesOfAnotherAuthorityAndThoseThatAreOver() throws Exception {
        Authority stranger = Authority.create("fabric authority", Instant.now());
        assertThat(greet(stranger.forSwitch(LEAF, Instant.now(), DAY), LEAF)).isNull();

        Path kept = directory.resolve("authority");
        Authority own = Authority.read(kept.resolve("authority.pem"), kept.resolve("authority-key.pem"));
        TlsKeys over = own.forSwitch(LEAF, Instant.now().minus(Duration.ofDays(9)), DAY);
        assertThat(greet(over, LEAF)).isNull();
        assertThat(isIn(LEAF)).isFalse();
    }

    @Test
    void shouldRefuseTheManagersOwnCertificateAsThatOfAnAgent() throws Exception {
        TlsKeys ofManager = TlsKeys.read(TlsFiles.in(directory.resolve("keys/manager")));

        assertThat(greet(ofManager, LEAF)).isNull();
        assertThat(isIn(LEAF)).isFalse();
    }

    @Test
    void shouldRaiseAnAlarmWhenTheManagersCertificateIsNearlyOver() throws Exception {
        manager.close();
        String authority = directory.resolve("authority").toString();
        String keys = directory.resolve("keys").toString();
        Main.run("keys", "issue", "--authority", authority, "--out", keys, "--days", "20", "127.0.0.1");

        manager = RunningManager.open(directory, Set.of(), settings("manager"));
        EventLoopGroup loops = Transport.best().group(1, "agent");
        AgentConfig config =
                AgentConfig.of(manager.southbound(), null, 1, 1).withTls(TlsEndpoint.ofAgent(() -> ofLeaf));
        try (Agent agent = Agent.start(config, new MemoryPlane(LEAF, "leaf0", 4), loops)) {
            RunningManager.await("the alarm")
                    .until(() -> manager.ask(state -> state.alarms().stream()
                            .anyMatch(alarm -> alarm.kind() == Alarm.Kind.CERTIFICATE_ENDS
                                    && alarm.text().contains(": the manager's until 20"))));
            RunningManager.await("its session").until(() -> isIn(agent.guid()));
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Ten failures used to close the door to all of an address, for ten seconds and again. */
    @Test
    void shouldWelcomeAnAgentBesideAHostOfItsAddressThatFails() throws Exception {
        Authority stranger = Authority.create("fabric authority", Instant.now());
        TlsKeys strange = stranger.forSwitch(LEAF, Instant.now(), DAY);
        for (int i = 0; i < 30; i++) {
            assertThat(greet(strange, LEAF)).isNull();
        }

        ManagerFrame answer = Objects.requireNonNull(greet(ofLeaf, LEAF));

        assertThat(answer.hasWelcome()).as("%s", answer).isTrue();
    }

    /** 64 connections that say nothing used to keep the others of their address out for ten seconds, and again. */
    @Test
    void shouldWelcomeAnAgentBesideAHostOfItsAddressThatHoldsConnections() throws Exception {
        InetSocketAddress at = manager.southbound();
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < 64; i++) {
                held.add(new Socket(at.getAddress(), at.getPort()));
            }

            RunningManager.await("a place").until(() -> greet(ofLeaf, LEAF) != null);

            held.get(63).setSoTimeout(1);
            assertThatThrownBy(() -> held.get(63).getInputStream().read())
                    .as("the last one still has its place")
                    .isInstanceOf(SocketTimeoutException.class);
        } finally {
            for (Socket one : held) {
                one.close();
            }
        }
    }

    /** Each begins a handshake and says no more: it has its turn for a moment, and the next one's comes. */
    @Test
    void shouldWelcomeAnAgentBesideManyHandshakesThatStandStill() throws Exception {
        InetSocketAddress at = manager.southbound();
        byte[] beginning = {22, 3, 1, 2, 0, 1};
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 1; i <= 100; i++) {
                Socket one = new Socket(at.getAddress(), at.getPort(), InetAddress.getByName("127.0.1." + i), 0);
                held.add(one);
                one.getOutputStream().write(beginning);
            }

            ManagerFrame answer = Objects.requireNonNull(greet(ofLeaf, LEAF));

            assertThat(answer.hasWelcome()).as("%s", answer).isTrue();
        } finally {
            for (Socket one : held) {
                one.close();
            }
        }
    }

    @Test
    void shouldRefuseClearText() throws Exception {
        InetSocketAddress at = manager.southbound();
        try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
            assertThat(answerTo(socket)).isNull();
        }
        assertThat(isIn(LEAF)).isFalse();
    }

    private static @Nullable ManagerFrame answerTo(Socket socket) {
        try {
            return sayHello(socket, LEAF);
        } catch (IOException refused) {
            return null;
        }
    }
}

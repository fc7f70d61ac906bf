package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.AgentCore.Identity;
import io.dmodc.agent.AgentEffect.Disconnect;
import io.dmodc.agent.AgentEffect.Install;
import io.dmodc.agent.AgentEffect.Send;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.AlternativesCodec;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortSetTable;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.Welcome;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** An agent asks for alternatives for a plane that wants them, and takes them from nobody but who leads. */
class AgentAlternativesTest {
    private static final Alternatives FIRST =
            new Alternatives.Builder(1).run(2, new byte[] {1, 2}).build();
    private static final Alternatives SECOND = new Alternatives.Builder(2)
            .run(1, new byte[] {1, 2})
            .run(2, new byte[] {2, 3})
            .build();

    private AgentCore core = serving(true);

    private static AgentCore serving(boolean wanted) {
        Endpoint detector = Endpoint.newBuilder().setPort(9000).build();
        AgentCore core = new AgentCore(
                new Identity(0x10, "leaf0", 4, detector, false),
                7,
                new PlaneCapabilities(100, true, false, wanted, false),
                new SplittableRandom(1));
        core.step(new AgentEvent.PlaneDue());
        InstalledTable held = new InstalledTable(new TableVersion(1, 4), new byte[] {1, 2});
        core.step(new AgentEvent.TableRead(held));
        greet(core);
        return core;
    }

    private static Hello greet(AgentCore core) {
        core.step(new AgentEvent.ConnectDue());
        Hello hello = sent(core.step(new AgentEvent.Connected())).getHello();
        core.step(new AgentEvent.Received(ManagerFrame.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setProtocol(2)
                        .setLeaderEpoch(2)
                        .setKeepAliveMillis(2000)
                        .setMaxFrameBytes(1 << 20))
                .build()));
        return hello;
    }

    private static AgentFrame sent(List<AgentEffect> effects) {
        return effects.stream()
                .filter(Send.class::isInstance)
                .map(effect -> ((Send) effect).frame())
                .findFirst()
                .orElseThrow();
    }

    private List<AgentEffect> told(long leaderEpoch, PortSetTable table) {
        return core.step(new AgentEvent.Received(ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(new TableVersion(leaderEpoch, 5), table))
                .build()));
    }

    @Test
    void shouldHandThemToThePlaneAndSayNextTimeThatItHoldsThem() {
        List<AgentEffect> effects = told(2, AlternativesCodec.whole(FIRST));

        assertThat(effects).singleElement().isInstanceOfSatisfying(Install.class, install -> {
            assertThat(install.change().changed().cardinality()).isEqualTo(2);
            assertThat(install.change().alternatives().at(1)).containsExactly(1, 2);
            assertThat(install.change().table().version())
                    .as("the routes are the same")
                    .isEqualTo(new TableVersion(1, 4));
        });
        assertThat(core.step(new AgentEvent.Installed(new TableVersion(1, 4))))
                .as("nobody waits for an answer")
                .isEmpty();
        assertThat(told(2, AlternativesCodec.difference(FIRST, SECOND)))
                .singleElement()
                .isInstanceOfSatisfying(
                        Install.class,
                        install ->
                                assertThat(install.change().changed().stream()).containsExactly(1));
        core.step(new AgentEvent.Installed(new TableVersion(1, 4)));
        core.step(new AgentEvent.Disconnected("lost"));

        Hello hello = greet(core);

        assertThat(hello.getAlternatives()).isTrue();
        assertThat(hello.getAlternativesDigest()).isEqualTo(SECOND.digest());
        assertThat(hello.getTable().getFabricEpoch()).isEqualTo(4);
    }

    /** A plane uses them only with the routes that they go with. */
    @Test
    void shouldHandThemToThePlaneWhenTheyGoWithOtherRoutesAlone() {
        told(2, AlternativesCodec.whole(FIRST));
        core.step(new AgentEvent.Installed(new TableVersion(1, 4)));
        Alternatives same =
                new Alternatives.Builder(7).run(2, new byte[] {1, 2}).build();

        assertThat(told(2, AlternativesCodec.difference(FIRST, same)))
                .singleElement()
                .isInstanceOfSatisfying(Install.class, install -> {
                    assertThat(install.change().changed().isEmpty()).isTrue();
                    assertThat(install.change().alternatives().routesDigest()).isEqualTo(7);
                });
        assertThat(core.step(new AgentEvent.Installed(new TableVersion(1, 4))))
                .as("once")
                .isEmpty();
    }

    /** The manager takes them for told, and tells only what changes later. */
    @Test
    void shouldTakeThoseOfARevokedEpoch() {
        core.step(new AgentEvent.Revoked(new TableVersion(2, 9)));

        List<AgentEffect> effects = told(2, AlternativesCodec.whole(FIRST));

        assertThat(effects)
                .singleElement()
                .isInstanceOfSatisfying(
                        Install.class,
                        install -> assertThat(install.change().alternatives().at(1))
                                .containsExactly(1, 2));
    }

    @Test
    void shouldEndASessionInWhichTheyDoNotFitAndForgetThem() {
        told(2, AlternativesCodec.whole(FIRST));
        core.step(new AgentEvent.Installed(new TableVersion(1, 4)));

        List<AgentEffect> effects = told(2, AlternativesCodec.difference(SECOND, FIRST));

        assertThat(effects).hasSize(2);
        assertThat(effects.get(0))
                .isInstanceOfSatisfying(
                        Install.class,
                        install -> assertThat(install.change().alternatives()).isSameAs(Alternatives.NONE));
        assertThat(((Disconnect) effects.get(1)).why())
                .startsWith("alternatives stand on")
                .endsWith("needs all of them");
        core.step(new AgentEvent.Disconnected("needs all of them"));
        core.step(new AgentEvent.Installed(new TableVersion(1, 4)));
        assertThat(greet(core).getAlternativesDigest()).isZero();
    }

    @Test
    void shouldEndASessionThatTellsThemUnasked() {
        core = serving(false);

        assertThat(told(2, AlternativesCodec.whole(FIRST))).containsExactly(new Disconnect("unasked alternatives"));
    }

    @Test
    void shouldTakeNoneFromWhoeverLeadsNoMore() {
        assertThat(sent(told(1, AlternativesCodec.whole(FIRST)))
                        .getTableRefusal()
                        .getReason())
                .isEqualTo(TableRefusal.Reason.OLD_LEADER);
    }
}

package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.dmodc.agent.AgentCore;
import io.dmodc.agent.AgentEffect;
import io.dmodc.agent.AgentEvent;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.southbound.DestinationDigest;
import io.dmodc.southbound.RunEncoder;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Destination;
import io.dmodc.southbound.proto.Destinations;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An agent's core over a real kernel that has somebody else's route in the place of one entry. */
class RefusedEntryTest {
    private ThreePorts ports;
    private PlaneRig rig;
    private AgentCore core;
    private final List<AgentFrame> sent = new ArrayList<>();

    @BeforeEach
    void greet() throws Exception {
        ports = ThreePorts.open();
        rig = ports.rig(null, true);
        AgentCore.Identity identity = new AgentCore.Identity(7, "s7", 3, Endpoint.getDefaultInstance(), false);
        core = new AgentCore(identity, 1, rig.plane.capabilities(), new SplittableRandom(1));
        step(new AgentEvent.ConnectDue());
        step(new AgentEvent.Connected());
        receive(ManagerFrame.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setProtocol(2)
                        .setLeaderEpoch(1)
                        .setKeepAliveMillis(2000)
                        .setMaxFrameBytes(1 << 20)));
        Destinations.Builder destinations = Destinations.newBuilder().setComplete(true);
        long digest = 0;
        for (int d = 0; d < 3; d++) {
            Destination destination = Destination.newBuilder()
                    .setIndex(d)
                    .setPortGuid(0x100 + d)
                    .setName("node" + d)
                    .setAddresses(Addresses.newBuilder()
                            .setIpv4(ByteString.copyFrom(new byte[] {10, 100, 0, (byte) (d + 1)})))
                    .build();
            destinations.addChanged(destination);
            digest += DestinationDigest.of(destination);
        }
        receive(ManagerFrame.newBuilder().setDestinations(destinations.setResultDigest(digest)));
    }

    @AfterEach
    void tearDown() throws Exception {
        rig.close();
        ports.close();
    }

    private void receive(ManagerFrame.Builder frame) throws Exception {
        step(new AgentEvent.Received(frame.build()));
    }

    /** As its shell does, but that all is done at once. */
    private void step(AgentEvent event) throws Exception {
        for (AgentEffect effect : core.step(event)) {
            if (effect instanceof AgentEffect.Send send) {
                sent.add(send.frame());
            } else if (effect instanceof AgentEffect.ReadTable) {
                step(new AgentEvent.TableRead(rig.readBack()));
            } else if (effect instanceof AgentEffect.Install install) {
                TableVersion version = install.change().table().version();
                AgentEvent outcome;
                try {
                    PlaneRig.await(rig.plane.install(install.change(), (done, total) -> {}));
                    outcome = new AgentEvent.Installed(version);
                } catch (PlaneException e) {
                    outcome = new AgentEvent.InstallFailed(version, String.valueOf(e.getMessage()));
                }
                step(outcome);
            }
        }
    }

    /** Returns what the agent answers. */
    private AgentFrame push(long epoch, int... entries) throws Exception {
        byte[] table = new byte[entries.length];
        for (int d = 0; d < entries.length; d++) {
            table[d] = (byte) entries[d];
        }
        RunEncoder whole = RunEncoder.complete(table.length, TableDigest.of(table));
        for (int d = 0; d < entries.length; d++) {
            whole.run(d, d + 1, 1, 0, new byte[] {table[d]});
        }
        PortTable routes = whole.table();
        receive(ManagerFrame.newBuilder().setTablePush(TableCodec.push(new TableVersion(1, epoch), routes)));
        return sent.get(sent.size() - 1);
    }

    private String routes() throws Exception {
        return ports.net.in("s", "ip", "route", "show");
    }

    @Test
    void shouldSayWhichEntryIsNotTakenAndTakeItWhenTheOtherRouteIsGone() throws Exception {
        ports.net.in("s", "ip", "route", "add", "10.100.0.2/32", "dev", "p3", "proto", "static");

        TableRefusal refusal = push(5, 1, 2, 3).getTableRefusal();

        assertThat(refusal.getReason()).isEqualTo(TableRefusal.Reason.PLANE_FAILED);
        assertThat(refusal.getText())
                .isEqualTo(
                        "entry 1, node1, 10.100.0.2: the kernel has a route of protocol 4 for it, which is not touched");
        assertThat(refusal.getEntryList()).containsExactly(1);
        assertThat(refusal.getPort()).isEqualTo(ByteString.copyFrom(new byte[] {(byte) 255}));
        assertThat(refusal.getTable().getDigest()).isEqualTo(TableDigest.of(new byte[] {1, (byte) 255, 3}));
        assertThat(routes()).contains("10.100.0.1 via", "10.100.0.2 dev p3 proto static", "10.100.0.3 via");

        assertThat(push(6, 2, 255, 3).hasTableAck()).as("all that it takes").isTrue();
        assertThat(push(6, 2, 2, 3).getTableRefusal().getEntryList()).containsExactly(1);

        ports.net.in("s", "ip", "route", "del", "10.100.0.2/32", "proto", "static");
        rig.readBack();
        assertThat(push(6, 2, 2, 3).hasTableAck()).isTrue();
        assertThat(routes()).contains("10.100.0.2 via 169.254.0.1 dev p2");
    }
}

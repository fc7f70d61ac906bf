package io.dmodc.fuzz;

import com.google.protobuf.ByteString;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.FabricStep;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.southbound.AgentTranslator;
import io.dmodc.manager.southbound.AgentTranslator.Heard;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.southbound.FrameDecoder;
import io.dmodc.southbound.FrameLimits;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.HostNeighbour;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.SwitchNeighbour;
import io.dmodc.southbound.proto.TableAck;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.TableState;
import io.dmodc.topology.NodeTypes;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What an agent sends, through decoder and checks into the core of a manager that knows nobody yet. */
public final class AgentFramesFuzz {
    private static final long SECOND = 1_000_000_000L;

    private AgentFramesFuzz() {}

    static List<byte[]> seeds() {
        AgentFrame hello = AgentFrame.newBuilder()
                .setHello(Hello.newBuilder()
                        .setProtocolMin(2)
                        .setProtocolMax(2)
                        .setSwitchGuid(0x10)
                        .setName("leaf0")
                        .setPortCount(4)
                        .setIncarnation(1)
                        .setLeaderEpoch(1)
                        .setTable(TableState.newBuilder()
                                .setLeaderEpoch(1)
                                .setFabricEpoch(2)
                                .setEntryCount(3)
                                .setDigest(4))
                        .setDetector(Endpoint.newBuilder()
                                .setAddress(ByteString.copyFrom(new byte[] {127, 0, 0, 1}))
                                .setPort(7472))
                        .setMembershipDifferences(true))
                .build();
        AgentFrame ports = AgentFrame.newBuilder()
                .setPortReport(PortReport.newBuilder()
                        .setSequence(1)
                        .setComplete(true)
                        .addPorts(Port.newBuilder()
                                .setNumber(1)
                                .setUp(true)
                                .setHostNeighbour(HostNeighbour.newBuilder()
                                        .setPortGuid(0x20)
                                        .setHostGuid(0x21)
                                        .setHostPort(1)
                                        .setName("node0")
                                        .setAddresses(Addresses.newBuilder()
                                                .setLid(12)
                                                .setIpv4(ByteString.copyFrom(new byte[] {10, 0, 0, 7}))
                                                .setIpv6(ByteString.copyFrom(new byte[16]))
                                                .setMac(ByteString.copyFrom(new byte[] {2, 0, 0, 0, 0, 7})))))
                        .addPorts(Port.newBuilder()
                                .setNumber(2)
                                .setUp(true)
                                .setHello(Port.Hello.UNHEARD)
                                .setSwitchNeighbour(SwitchNeighbour.newBuilder()
                                        .setGuid(0x11)
                                        .setPort(3))))
                .build();
        AgentFrame news = AgentFrame.newBuilder()
                .setFaultReport(FaultReport.newBuilder()
                        .setSequence(1)
                        .setKind(FaultReport.Kind.AGENT_SILENT)
                        .setSubjectGuid(0x10)
                        .setObserverGuid(0x11)
                        .setSilenceNanos(SECOND)
                        .setHops(1))
                .build();
        AgentFrame ack = AgentFrame.newBuilder()
                .setTableAck(TableAck.newBuilder()
                        .setLeaderEpoch(1)
                        .setFabricEpoch(1)
                        .setDigest(5))
                .build();
        AgentFrame refusal = AgentFrame.newBuilder()
                .setTableRefusal(TableRefusal.newBuilder()
                        .setLeaderEpoch(1)
                        .setFabricEpoch(1)
                        .setReason(TableRefusal.Reason.PLANE_FAILED)
                        .setText("no room")
                        .setTable(TableState.newBuilder().setEntryCount(1)))
                .build();
        return List.of(
                Wire.frames(hello), Wire.frames(hello, ports, news), Wire.frames(hello, ports, ack, refusal, ports));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        serve(Wire.decoded(FrameDecoder.ofAgents(FrameLimits.DEFAULT), data));
    }

    private static void serve(List<AgentFrame> frames) {
        FabricState state = new FabricState(
                ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
                0,
                0,
                StoredState.of(List.of(new LeaderEpoch(1))),
                Set.of());
        FabricStep step = new FabricStep(state);
        AgentTranslator translator = new AgentTranslator(1, anywhere -> true, null);
        long now = 0;
        for (AgentFrame frame : frames) {
            now += SECOND;
            Heard heard = translator.hear(frame, now, InetAddress::getLoopbackAddress);
            List<Effect> effects = new ArrayList<>();
            if (heard.event() != null) {
                step.accept(heard.event(), effects);
            }
            step.settle(now, effects);
            for (Effect effect : effects) {
                if (effect instanceof Effect.Accept) {
                    translator.welcomed();
                } else if (effect instanceof Effect.Defect defect) {
                    throw new IllegalStateException(defect.note().text(), defect.cause());
                }
            }
            if (heard.refusal() != null) {
                return;
            }
        }
    }
}

package io.dmodc.fuzz;

import com.google.protobuf.ByteString;
import io.dmodc.agent.AgentCore;
import io.dmodc.agent.AgentEffect;
import io.dmodc.agent.AgentEvent;
import io.dmodc.agent.SharedMemberships;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.manager.core.Effect.NameDestinations;
import io.dmodc.manager.core.Effect.NamedDestination;
import io.dmodc.manager.southbound.DestinationFrames;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.AlternativesCodec;
import io.dmodc.southbound.FrameDecoder;
import io.dmodc.southbound.FrameLimits;
import io.dmodc.southbound.RunEncoder;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableKind;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.TurnTable;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import io.dmodc.southbound.proto.PortQuery;
import io.dmodc.southbound.proto.PortSetTable;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.TransitQuery;
import io.dmodc.southbound.proto.Welcome;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** What a manager sends, through decoder and checks into the core of an agent and its plane. */
public final class ManagerFramesFuzz {
    private static final PlaneCapabilities PLANE =
            new PlaneCapabilities(SouthboundProtocol.MAX_ENTRIES, true, true, true, true);
    private static final long GUID = 0x10;
    private static final int PORTS = 8;

    private ManagerFramesFuzz() {}

    static List<byte[]> seeds() {
        ManagerFrame welcome = ManagerFrame.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setProtocol(2)
                        .setLeaderEpoch(1)
                        .setKeepAliveMillis(2000)
                        .setMaxFrameBytes(1 << 20))
                .build();
        byte[] table = new byte[200];
        for (int i = 0; i < table.length; i++) {
            table[i] = (byte) (i < 100 ? 1 + i % 3 : 7);
        }
        RunEncoder encoder = RunEncoder.complete(table.length, TableDigest.of(table));
        encoder.run(0, 100, 1, 0, new byte[] {1, 2, 3});
        encoder.run(100, 200, 1, 0, new byte[] {7});
        ManagerFrame push = ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(new TableVersion(1, 1), encoder.table()))
                .build();
        byte[] entries = new byte[TurnTable.entryCount(2)];
        Arrays.fill(entries, SouthboundProtocol.NO_ROUTE);
        entries[TurnTable.INPUT_CLASSES_AT] = TurnTable.INPUT_CLASSES;
        entries[TurnTable.VIRTUAL_CHANNELS_AT] = TurnTable.VIRTUAL_CHANNELS;
        ManagerFrame turns = ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(
                        new TableVersion(1, 1),
                        TableKind.TURNS,
                        RunEncoder.complete(entries.length, TableDigest.of(entries))
                                .run(0, entries.length, 1, 0, entries)
                                .table()))
                .build();
        DestinationFrames names = new DestinationFrames();
        names.tell(new NameDestinations(
                1,
                List.of(
                        new NamedDestination(0, new Host(0x21, 0x20, 1, "node0", HostAddresses.ofLid(12))),
                        new NamedDestination(199, new Host(0x31, 0x30, 1, "node199")))));
        ManagerFrame destinations = names.after(0).frames().get(0);
        Alternatives before =
                new Alternatives.Builder(1).run(100, new byte[] {1, 2, 3}).build();
        Alternatives after = new Alternatives.Builder(2)
                .run(50, new byte[] {1, 3})
                .run(100, new byte[] {1, 2, 3})
                .run(200, new byte[0])
                .build();
        ManagerFrame others = alternatives(AlternativesCodec.whole(before));
        ManagerFrame changed = alternatives(AlternativesCodec.difference(before, after));
        Member member = Member.newBuilder()
                .setGuid(GUID)
                .setIncarnation(1)
                .setDetector(Endpoint.newBuilder()
                        .setAddress(ByteString.copyFrom(new byte[] {127, 0, 0, 1}))
                        .setPort(7472))
                .build();
        ManagerFrame ring = ManagerFrame.newBuilder()
                .setMembership(Membership.newBuilder()
                        .setEpoch(1)
                        .setCluster(1)
                        .setHeartbeatNanos(1_000_000)
                        .setSuspicionNanos(10_000_000)
                        .setOpinions(2)
                        .addMembers(member)
                        .addMembers(member.toBuilder().setGuid(0x11))
                        .build()
                        .toByteString())
                .build();
        ManagerFrame query = ManagerFrame.newBuilder()
                .setPortQuery(PortQuery.newBuilder().addPorts(3))
                .build();
        ManagerFrame transit = ManagerFrame.newBuilder()
                .setTransitQuery(TransitQuery.newBuilder()
                        .setNumber(1)
                        .setPort(3)
                        .setThere(7)
                        .setBack(9))
                .build();
        ManagerFrame refusal = ManagerFrame.newBuilder()
                .setRefusal(Refusal.newBuilder()
                        .setReason(Refusal.Reason.DUPLICATE_GUID)
                        .setText("another one"))
                .build();
        return List.of(
                Wire.frames(welcome, push, push),
                Wire.frames(welcome, destinations, push, destinations),
                Wire.frames(welcome, push, others, changed),
                Wire.frames(welcome, push, turns, others, push),
                Wire.frames(welcome, ring, query, push),
                Wire.frames(welcome, transit, transit, query),
                Wire.frames(welcome, query, refusal));
    }

    private static ManagerFrame alternatives(PortSetTable table) {
        return ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(new TableVersion(1, 1), table))
                .build();
    }

    public static void fuzzerTestOneInput(byte[] data) {
        serve(Wire.decoded(FrameDecoder.ofManagers(FrameLimits.DEFAULT), data));
    }

    private static void serve(List<ManagerFrame> frames) {
        MemoryPlane plane = MemoryPlane.ofGrid(GUID, "leaf0", PORTS);
        Endpoint detector = Endpoint.newBuilder().setPort(7472).build();
        AgentCore core =
                new AgentCore(new AgentCore.Identity(GUID, "leaf0", PORTS, detector, true), 1, PLANE, new Random(1));
        Deque<AgentEvent> events = new ArrayDeque<>(List.of(new AgentEvent.ConnectDue(), new AgentEvent.Connected()));
        for (ManagerFrame frame : frames) {
            if (!frame.hasKeepAlive()) {
                events.add(new AgentEvent.Received(frame));
            }
            while (!events.isEmpty()) {
                for (AgentEffect effect : core.step(events.remove())) {
                    perform(effect, plane, events);
                }
            }
        }
    }

    private static void perform(AgentEffect effect, MemoryPlane plane, Deque<AgentEvent> events) {
        if (effect instanceof AgentEffect.Install install) {
            plane.install(install.change(), (done, total) -> {})
                    .toCompletableFuture()
                    .join();
            events.addFirst(new AgentEvent.Installed(install.change().table().version()));
        } else if (effect instanceof AgentEffect.ReadTable) {
            events.addFirst(new AgentEvent.TableRead(plane.installed()));
        } else if (effect instanceof AgentEffect.DecodeMembership decode) {
            events.addFirst(SharedMemberships.ofProcess().decode(decode.bytes(), decode.held()));
        } else if (effect instanceof AgentEffect.ReadPorts read) {
            events.addFirst(
                    read.numbers().isEmpty()
                            ? new AgentEvent.PortsRead(plane.ports())
                            : new AgentEvent.PortsChanged(read.numbers().stream()
                                    .map(plane::portState)
                                    .toList()));
        } else if (effect instanceof AgentEffect.AskThrough asked) {
            events.addFirst(new AgentEvent.AskedThrough(asked.number(), 5, 4));
        } else if (effect instanceof AgentEffect.Disconnect end) {
            events.addFirst(new AgentEvent.Disconnected(end.why()));
        }
    }
}

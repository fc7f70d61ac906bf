package io.dmodc.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.RecordCodec;
import io.dmodc.manager.store.proto.HeldTable;
import io.dmodc.manager.store.proto.KeptRow;
import io.dmodc.manager.store.proto.KnownSwitch;
import io.dmodc.manager.store.proto.Neighbour;
import io.dmodc.manager.store.proto.NodeIndex;
import io.dmodc.manager.store.proto.OpenAlarm;
import io.dmodc.manager.store.proto.PortClaim;
import io.dmodc.manager.store.proto.Record;
import io.dmodc.manager.store.proto.SwitchPort;
import java.util.List;

/** Records of the store, as an import or a recording may bring them. */
public final class RecordFuzz {
    private RecordFuzz() {}

    static List<byte[]> seeds() {
        PortClaim claim = PortClaim.newBuilder()
                .setPort(2)
                .setUp(true)
                .setNeighbour(Neighbour.newBuilder()
                        .setSwitchPort(SwitchPort.newBuilder().setGuid(0x11).setPort(3)))
                .build();
        KeptRow row = KeptRow.newBuilder()
                .setEntryCount(3)
                .addBlocks(0)
                .setEntries(ByteString.copyFrom(new byte[] {1, 2, 3}))
                .setDigest(9)
                .build();
        return List.of(
                Record.newBuilder()
                        .setNodeIndex(NodeIndex.newBuilder().setPortGuid(0x20).setIndex(3))
                        .build()
                        .toByteArray(),
                Record.newBuilder()
                        .setKnownSwitch(KnownSwitch.newBuilder()
                                .setGuid(0x10)
                                .setName("leaf0")
                                .setPortCount(4)
                                .addPorts(claim))
                        .build()
                        .toByteArray(),
                Record.newBuilder()
                        .setHeldTable(HeldTable.newBuilder()
                                .setGuid(0x10)
                                .setEntryCount(3)
                                .addRows(row))
                        .build()
                        .toByteArray(),
                Record.newBuilder()
                        .setOpenAlarm(OpenAlarm.newBuilder()
                                .setSubject("link")
                                .setGuid(0x10)
                                .setPort(2)
                                .setId(1))
                        .build()
                        .toByteArray());
    }

    public static void fuzzerTestOneInput(byte[] data) {
        StateRecord record;
        try {
            record = RecordCodec.decode(Record.parseFrom(data));
        } catch (InvalidProtocolBufferException | IllegalArgumentException refused) {
            return;
        }
        new StoredState().apply(record);
    }
}

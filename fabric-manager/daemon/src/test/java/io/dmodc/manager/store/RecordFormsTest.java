package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.store.proto.Host;
import io.dmodc.manager.store.proto.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.HostAddresses;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A record is the same after it was bytes, and after it was JSON. */
class RecordFormsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void shouldReadRandomRecordsAsTheyWereWritten() throws Exception {
        long seed = 31;
        System.out.println("seed " + seed);
        RandomRecords records = new RandomRecords(seed);
        long addressed = 0;
        for (int i = 0; i < 300; i++) {
            for (StateRecord record : records.batch(30)) {
                if (record instanceof Removed || leadsToItself(record)) {
                    continue;
                }
                String json = RecordJson.write(record).toString();

                assertThat(RecordCodec.decode(RecordCodec.encode(record)))
                        .as(json)
                        .isEqualTo(record);
                assertThat(RecordJson.read(JSON.readTree(json))).as(json).isEqualTo(record);
                addressed += addresses(record).filter(it -> !it.isNone()).count();
            }
        }
        assertThat(addressed).as("hosts with addresses").isGreaterThan(1_000);
    }

    /** No manager writes such a one, and none is imported. */
    private static boolean leadsToItself(StateRecord record) {
        return record instanceof ExpectedSwitch known
                && known.ports().stream()
                        .anyMatch(port -> port.neighbour() instanceof ToSwitch to && to.guid() == known.guid());
    }

    private static Stream<HostAddresses> addresses(StateRecord record) {
        return Stream.concat(
                        record instanceof KnownSwitch known
                                ? known.claims().ports().stream()
                                        .map(port -> port.neighbour())
                                        .filter(Objects::nonNull)
                                : Stream.of(),
                        record instanceof ExpectedSwitch known
                                ? known.ports().stream().map(ExpectedPort::neighbour)
                                : Stream.of())
                .filter(ToHost.class::isInstance)
                .map(far -> ((ToHost) far).host().addresses());
    }

    /** A host of an earlier build says nothing of addresses; one without any says nothing either. */
    @Test
    void shouldTakeAHostWithoutAddresses() {
        Neighbour earlier = Neighbour.newBuilder()
                .setHost(Host.newBuilder()
                        .setPortGuid(1)
                        .setHostGuid(2)
                        .setHostPort(3)
                        .setName("node0"))
                .build();

        ToHost read = (ToHost) RecordCodec.decode(earlier);

        assertThat(read.host()).isEqualTo(new io.dmodc.topology.Host(1, 2, 3, "node0"));
        assertThat(RecordCodec.encode(read)).isEqualTo(earlier);
    }

    @Test
    void shouldRefuseAddressesOutOfRange() {
        Host.Builder lid = Host.newBuilder();
        lid.getAddressesBuilder().setLid(0xc000);
        Host.Builder mac = Host.newBuilder();
        mac.getAddressesBuilder().setMac(1L << 48);

        assertRefused(lid, "lid 49152 outside 0..49151");
        assertRefused(mac, "mac 0x1000000000000 has more than 48 bits");
    }

    private static void assertRefused(Host.Builder host, String problem) {
        Neighbour far = Neighbour.newBuilder().setHost(host).build();
        assertThatThrownBy(() -> RecordCodec.decode(far))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem);
    }
}

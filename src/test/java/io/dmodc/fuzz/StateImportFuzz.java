package io.dmodc.fuzz;

import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.StateExport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Text that {@code state import} reads. */
public final class StateImportFuzz {
    private static final String PLACE = "state.jsonl";
    private static final String WHOLE = """
            {"fabricManagerState":1,"writer":"0.1.0","records":10}
            {"kind":"leader-epoch","epoch":7}
            {"kind":"fabric-epoch","epoch":12}
            {"kind":"node-index","port":"0x0000000000000011","index":0}
            {"kind":"level","switch":"0x0000000000000001","level":0}
            {"kind":"switch","switch":"0x0000000000000001","name":"leaf0","portCount":4,"forwards":true,"ports":[{"port":1,"up":true,\
            "lastUpOwner":true,"host":{"port":"0x0000000000000011","guid":"0x0000000000000010","number":1,"name":"node0"}},{"port":3,\
            "up":true,"far":{"switch":"0x0000000000000002","port":1}}]}
            {"kind":"expected","switch":"0x0000000000000001","name":"leaf0","portCount":4,"ports":[{"port":3,"far":\
            {"switch":"0x0000000000000002","port":1}}]}
            {"kind":"held-table","switch":"0x0000000000000001","leaderEpoch":7,"fabricEpoch":11,"entryCount":2,\
            "digest":"0x0000000000000def","rows":[{"entryCount":2,"digest":"0x0000000000000def","blocks":[0],"entries":"Af8="}]}
            {"kind":"alarm","subject":"link","guid":"0x0000000000000001","port":3,"id":5,"sinceMillis":1700000000000,"causeEpoch":9}
            {"kind":"acknowledgement","subject":"link","guid":"0x0000000000000001","port":3,"id":5,"alarmKind":"link_down","by":"ann",\
            "atMillis":1700000100000,"why":"new cable"}
            {"kind":"last-alarm","id":6}
            """;

    private StateImportFuzz() {}

    /** All kinds in one, and each by itself. */
    static List<byte[]> seeds() {
        List<String> lines = WHOLE.lines().toList();
        return lines.stream()
                .map(line -> line.equals(lines.get(0)) ? WHOLE : header() + line + "\n")
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private static String header() {
        return "{\"fabricManagerState\":1,\"writer\":\"\",\"records\":1}\n";
    }

    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        StoredState state;
        try {
            state = StateExport.read(PLACE, new ByteArrayInputStream(data));
        } catch (IllegalArgumentException refused) {
            OneLine.require(refused, PLACE + ":");
            return;
        }
        Restart.requireKept(state);
        Restart.requireStart(state);
    }
}

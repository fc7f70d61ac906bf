package io.dmodc.fuzz;

import java.io.IOException;
import java.util.Arrays;

/** All readers in one process: the first byte says which one gets the rest. */
public final class AnyFuzz {
    private AnyFuzz() {}

    /** An input of a reader, as it is told here. */
    static byte[] of(int reader, byte[] input) {
        byte[] told = new byte[input.length + 1];
        told[0] = (byte) reader;
        System.arraycopy(input, 0, told, 1, input.length);
        return told;
    }

    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        if (data.length == 0) {
            return;
        }
        byte[] input = Arrays.copyOfRange(data, 1, data.length);
        switch (data[0]) {
            case 0 -> AgentFramesFuzz.fuzzerTestOneInput(input);
            case 1 -> ManagerFramesFuzz.fuzzerTestOneInput(input);
            case 2 -> RecordFuzz.fuzzerTestOneInput(input);
            case 3 -> IbnetFuzz.fuzzerTestOneInput(input);
            case 4 -> SettingsFuzz.fuzzerTestOneInput(input);
            case 5 -> DatagramFuzz.fuzzerTestOneInput(input);
            case 6 -> HelloFuzz.fuzzerTestOneInput(input);
            case 7 -> StateImportFuzz.fuzzerTestOneInput(input);
            case 8 -> FormerFilesFuzz.fuzzerTestOneInput(input);
            case 9 -> OpenSmDumpFuzz.fuzzerTestOneInput(input);
            case 10 -> KeyFilesFuzz.fuzzerTestOneInput(input);
            case 11 -> WithdrawalFuzz.fuzzerTestOneInput(input);
            default -> {
                // Nobody's.
            }
        }
    }
}

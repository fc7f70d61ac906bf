package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.PlaneNumbers;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options that say in which order engine {@code dmodc} counts port groups, and which file keeps it. */
final class PlaneMap {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--group-order",
            paramLabel = "plane|guid",
            defaultValue = "plane",
            converter = OrderConverter.class,
            description =
                    "of engine dmodc: port groups by plane, which suits GUIDs not in cabling order, or by GUID alone"
                            + " (default: ${DEFAULT-VALUE})")
    private GroupOrder order = GroupOrder.PLANE;

    @Option(
            names = "--plane-map",
            paramLabel = "F",
            description =
                    "plane numbers of switches, lines 'guid number': read if it exists, written again when switches"
                            + " are new")
    private @Nullable String file;

    /**
     * Reads the numbers; empty if there are none yet.
     *
     * @param nodeMap which has another file, if it has one
     * @throws IOException in one line, if the file cannot be read
     * @throws IllegalArgumentException in one line, if a line is no 'guid number', or there is a file and no use for it
     */
    PlaneNumbers read(NodeMap nodeMap) throws IOException {
        MapFile.requireTwo(nodeMap.file(), file);
        if (order == GroupOrder.GUID) {
            if (file != null) {
                throw new IllegalArgumentException("--plane-map is of no use with --group-order guid");
            }
            return PlaneNumbers.unused();
        }
        return PlaneNumbers.parse(String.valueOf(file), MapFile.lines(file, "guid number"));
    }

    /**
     * Gives numbers to a fabric seen for the first time, keeps them if some are new, and says so if the file was not this
     * fabric's.
     */
    FabricView number(PlaneNumbers planes, FabricView whole) throws IOException {
        int known = planes.lines().size();
        FabricView numbered = planes.number(whole);
        int fresh = planes.takeDealt().size();
        String to = file;
        if (to != null && fresh > 0) {
            if (known > 0 && fresh == PlaneNumbers.of(numbered).lines().size()) {
                spec.commandLine()
                        .getErr()
                        .println(to + ": none of its GUIDs is a switch above the leaves of this fabric; all " + fresh
                                + " of these got new numbers");
            }
            MapFile.write(to, planes.lines(), spec.commandLine().getOut());
        }
        return numbered;
    }

    /** Reads the name of an order in either case. */
    static final class OrderConverter implements ITypeConverter<GroupOrder> {
        @Override
        public GroupOrder convert(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "plane" -> GroupOrder.PLANE;
                case "guid" -> GroupOrder.GUID;
                default -> throw new TypeConversionException("'" + value + "'; expected plane or guid");
            };
        }
    }
}

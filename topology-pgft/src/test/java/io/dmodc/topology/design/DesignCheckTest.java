package io.dmodc.topology.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.design.Deviation.End;
import io.dmodc.topology.design.Deviation.Kind;
import io.dmodc.topology.design.Recognition.NotWhole;
import io.dmodc.topology.design.Recognition.Whole;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DesignCheckTest {
    private static final int SHAPES = 500 * Integer.getInteger("more", 1);
    private static final int DAMAGED = 100 * Integer.getInteger("more", 1);

    @Test
    void shouldRecogniseAnyWholeShapeHoweverNumbered() {
        for (int seed = 0; seed < SHAPES; seed++) {
            Random random = new Random(seed);
            PgftShape shape = RandomShapes.next(random, 1 + random.nextInt(4), 1, 4);

            FabricView view = CablePlan.of(shape, random).view(random);

            assertThat(DesignCheck.recognise(view))
                    .as("seed " + seed + " " + shape)
                    .isEqualTo(new Whole(shape));
            assertThat(DesignCheck.verify(view, shape).asDesigned())
                    .as("seed " + seed)
                    .isTrue();
        }
    }

    @Test
    void shouldRecogniseNothingThatTheDefinitionDoesNot() {
        int whole = 0;
        for (int seed = 0; seed < SHAPES; seed++) {
            Random random = new Random(seed);
            PgftShape shape = RandomShapes.next(random, 2 + random.nextInt(2), 1, 3);
            CablePlan plan = CablePlan.of(shape, random);
            for (int i = random.nextInt(3); i >= 0; i--) {
                CablePlan.swap(any(plan.cables, random), any(plan.cables, random));
            }
            FabricView view = plan.view(random);
            boolean byDefinition = ComponentTwin.isWhole(view, shape);

            assertThat(DesignCheck.verify(view, shape).asDesigned())
                    .as("seed " + seed + " " + shape)
                    .isEqualTo(byDefinition);
            whole += byDefinition ? 1 : 0;
        }
        assertThat(whole).isBetween(SHAPES / 50, SHAPES - SHAPES / 50);
    }

    /** With three or more of everything, no other explanation is as short. */
    @Test
    void shouldNameExactlyTheDamageWhereMajoritiesAreClear() {
        for (int seed = 0; seed < DAMAGED; seed++) {
            Random random = new Random(seed);
            PgftShape shape = RandomShapes.next(random, 2 + random.nextInt(2), 5, 6);
            CablePlan plan = CablePlan.of(shape, random);
            List<String> done = damage(plan, random, 1 + random.nextInt(2));
            FabricView view = plan.view(random);

            DesignReport report = DesignCheck.verify(view, shape);

            assertThat(report.deviations().stream().map(DesignCheckTest::plain).sorted())
                    .as("seed " + seed + " " + shape + " " + report.deviations())
                    .isEqualTo(done.stream().sorted().toList());
            assertThat(DesignCheck.verify(view))
                    .as("seed " + seed)
                    .isEqualTo(new DesignReport(
                            shape, true, report.deviations(), report.deviationCount(), report.levels()));
        }
    }

    /** Each kind on cables far enough from one another: no two touch the same switch. */
    private static List<String> damage(CablePlan plan, Random random, int times) {
        TreeSet<String> touched = new TreeSet<>();
        List<String> done = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            CablePlan.Cable missing = untouched(plan, random, touched);
            plan.remove(missing);
            done.add("missing " + pair(missing.a, missing.b));
            CablePlan.Cable one = untouched(plan, random, touched);
            CablePlan.Cable other = untouched(plan, random, touched);
            CablePlan.swap(one, other);
            done.add("swapped " + new TreeSet<>(List.of(pair(one.a, one.b), pair(other.a, other.b))));
        }
        return done;
    }

    private static CablePlan.Cable untouched(CablePlan plan, Random random, Set<String> touched) {
        while (true) {
            CablePlan.Cable cable = any(plan.cables, random);
            if (!touched.contains(cable.a) && !touched.contains(cable.b)) {
                touched.addAll(List.of(cable.a, cable.b));
                return cable;
            }
        }
    }

    private static String pair(String one, String other) {
        return new TreeSet<>(List.of(one, other)).toString();
    }

    private static String plain(Deviation deviation) {
        List<End> e = deviation.ends();
        return switch (deviation.kind()) {
            case CABLE_MISSING, BUNDLE_UNEQUAL ->
                "missing " + pair(e.get(0).name(), e.get(1).name());
            case CABLES_SWAPPED ->
                "swapped "
                        + new TreeSet<>(List.of(
                                pair(e.get(0).name(), e.get(1).name()),
                                pair(e.get(2).name(), e.get(3).name())));
            default -> deviation.text();
        };
    }

    /**
     * Small shapes allow several explanations: whichever is told, following it must mend the fabric. Left out are
     * fabrics where a switch has lost so many of its cables that it cannot be told where it stood; with three or more
     * of everything there are none.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldTellRepairsThatMakeTheFabricAsDesigned(int least) {
        int unclear = 0;
        for (int seed = 0; seed < DAMAGED; seed++) {
            Random random = new Random(seed);
            PgftShape shape = RandomShapes.next(random, 2 + random.nextInt(2), least, 4);
            CablePlan plan = CablePlan.of(shape, random);
            for (int i = random.nextInt(3); i > 0; i--) {
                CablePlan.swap(any(plan.cables, random), any(plan.cables, random));
            }
            if (plan.cables.size() > 8) {
                plan.remove(any(plan.cables, random));
            }
            DesignReport report = DesignCheck.verify(plan.view(new Random(seed)), shape);
            if (report.deviations().stream().anyMatch(d -> d.kind().compareTo(Kind.CABLES_SWAPPED) < 0)) {
                unclear++;
                continue;
            }
            report.deviations().forEach(deviation -> repair(plan, deviation));
            assertThat(ComponentTwin.isWhole(plan.view(random), shape))
                    .as("seed " + seed + " " + shape + " " + report.deviations())
                    .isTrue();
        }
        assertThat(unclear).isLessThanOrEqualTo(least == 1 ? DAMAGED / 6 : least == 2 ? DAMAGED / 100 : 0);
    }

    private static void repair(CablePlan plan, Deviation deviation) {
        List<End> e = deviation.ends();
        switch (deviation.kind()) {
            case CABLES_SWAPPED -> {
                plan.remove(cable(plan, e.get(0), e.get(1)));
                plan.remove(cable(plan, e.get(2), e.get(3)));
                plan.connect(e.get(0).name(), e.get(3).name());
                plan.connect(e.get(2).name(), e.get(1).name());
            }
            case CABLE_MISPLACED -> {
                plan.remove(cable(plan, e.get(0), e.get(1)));
                plan.connect(e.get(0).name(), e.get(2).name());
            }
            case CABLE_EXTRA -> plan.remove(cable(plan, e.get(0), e.get(1)));
            case CABLE_MISSING, BUNDLE_UNEQUAL -> {
                for (int i = deviation.have(); i < deviation.expected(); i++) {
                    plan.connect(e.get(0).name(), e.get(1).name());
                }
                if (deviation.have() > deviation.expected()) {
                    plan.remove(cable(plan, e.get(0), e.get(1)));
                }
            }
            default -> throw new AssertionError(deviation);
        }
    }

    private static CablePlan.Cable cable(CablePlan plan, End one, End other) {
        return plan.find(one.name(), one.port(), other.name(), other.port());
    }

    private static <T> T any(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    /** Two in three upper switches are touched, so that the number most of them agree on can be a wrong one. */
    @Test
    void shouldFindTheShapeOfAFabricWithFaultsEverywhere() {
        PgftShape shape = PgftShape.parse("3;6,6,6;1,6,6;1,2,1");
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            CablePlan plan = CablePlan.of(shape, random);
            for (int i = 0; i < 3; i++) {
                plan.removeSwitch("l3s" + (11 * i + random.nextInt(11)));
            }
            for (int i = 0; i < 10; i++) {
                CablePlan.swap(any(plan.cables, random), any(plan.cables, random));
                plan.remove(any(plan.cables, random));
            }

            DesignReport report = DesignCheck.verify(plan.view(random));

            assertThat(report.design()).as("seed " + seed).isEqualTo(shape);
            assertThat(report.deviations().stream().filter(d -> d.kind() == Kind.SWITCH_MISSING))
                    .as("seed " + seed)
                    .hasSize(3);
        }
    }

    @Test
    void shouldMissExactlyTheSwitchesTakenAway() {
        for (int seed = 0; seed < DAMAGED; seed++) {
            Random random = new Random(seed);
            PgftShape shape = RandomShapes.next(random, 2 + random.nextInt(2), 3, 5);
            CablePlan plan = CablePlan.of(shape, random);
            List<Integer> levels = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                String name = any(List.copyOf(plan.switches), random);
                levels.add(levelOf(name));
                plan.removeSwitch(name);
            }

            DesignReport report = DesignCheck.verify(plan.view(random), shape);

            assertThat(report.deviations().stream()
                            .map(d -> d.text().replaceAll(",.*", ""))
                            .sorted())
                    .as("seed " + seed + " " + shape)
                    .isEqualTo(levels.stream()
                            .map(l -> "a switch is missing on level " + l)
                            .sorted()
                            .toList());
        }
    }

    @Test
    void shouldKnowTheLevelsOfAllSwitchesOfADamagedFabric() {
        for (int seed = 0; seed < DAMAGED; seed++) {
            Random random = new Random(seed);
            PgftShape shape = RandomShapes.next(random, 3, 5, 6);
            CablePlan plan = CablePlan.of(shape, random);
            damage(plan, random, 2);
            FabricView view = plan.view(random);

            DesignReport report = DesignCheck.verify(view, shape);

            for (int s = 0; s < view.switchCount(); s++) {
                assertThat(report.levels().get(view.switchGuid(s)))
                        .as("seed " + seed + " " + view.switchName(s))
                        .hasValue(levelOf(view.switchName(s)) - 1);
            }
        }
    }

    private static int levelOf(String name) {
        return name.startsWith("leaf") ? 1 : name.charAt(1) - '0';
    }

    private static final PgftShape TWO_PODS = PgftShape.parse("3;4,4,3;1,3,3;1,2,1");
    private final CablePlan plan = CablePlan.of(TWO_PODS, new Random(1));

    private List<String> told() {
        return DesignCheck.verify(plan.view(new Random(2)), TWO_PODS).deviations().stream()
                .map(Deviation::text)
                .toList();
    }

    private void unplug(String name) {
        plan.cables.stream()
                .filter(cable -> cable.a.equals(name) || cable.b.equals(name))
                .toList()
                .forEach(plan::remove);
    }

    @Test
    void shouldTellALeafWithoutHostsFromATopSwitch() {
        plan.hosts.put("leaf5", 0);

        assertThat(told()).containsExactly("leaf5 has 0 of 4 hosts");
    }

    @Test
    void shouldKeepASpineThatLostAllItsLeavesOnItsLevel() {
        plan.cables.stream()
                .filter(cable -> (cable.a + cable.b).matches("leaf.*l2s4|l2s4leaf.*"))
                .toList()
                .forEach(plan::remove);
        DesignReport report = DesignCheck.verify(plan.view(new Random(2)), TWO_PODS);

        assertThat(report.deviations()).hasSize(4).allMatch(d -> d.kind() == Kind.CABLE_MISSING && d.expected() == 2);
        assertThat(report.levels().size()).isEqualTo(TWO_PODS.switchCount());
    }

    @Test
    void shouldNameASwitchThatWorksOnAnotherLevel() {
        unplug("l2s4");
        plan.hosts.put("l2s4", 4);
        plan.connect("l2s4", "l2s0");
        plan.connect("l2s4", "l2s1");
        plan.connect("l2s4", "l2s2");

        DesignReport report = DesignCheck.verify(plan.view(new Random(2)), TWO_PODS);

        assertThat(report.deviations().stream().map(Deviation::kind))
                .containsExactly(Kind.SWITCH_MISSING, Kind.SWITCH_AT_WRONG_LEVEL);
        assertThat(report.deviations().get(1).text())
                .isEqualTo("l2s4 is cabled like a switch of level 1, where it has no place; level 2 lacks a switch");
    }

    @Test
    void shouldNameASwitchTooMany() {
        plan.switches.add("spare");
        plan.hosts.put("spare", 0);
        plan.connect("spare", "l2s0");
        plan.connect("spare", "l2s1");

        assertThat(told()).containsExactly("spare has no place in the design; it has 2 cables");
    }

    @Test
    void shouldNameASwitchWithoutCablesOnceAndNotItsCables() {
        unplug("leaf3");

        assertThat(told()).containsExactly("leaf3 has no live cable to another switch");
    }

    @Test
    void shouldNameExtraCablesAndHosts() {
        plan.connect("leaf0", "leaf1");
        plan.connect("leaf2", "l2s0");
        plan.hosts.put("l3s1", 1);

        assertThat(told())
                .containsExactly(
                        "cable leaf2 port 9 – l2s0 port 9 is one too many: 3 of 2 cables",
                        "cable leaf1 port 1 – leaf0 port 7 is not in the design",
                        "l3s1 on level 3 has 1 host, expected none above the leaves");
    }

    @Test
    void shouldSayWhereALooseEndBelongs() {
        CablePlan.Cable cable = plan.cables.stream()
                .filter(c -> c.a.equals("leaf0") && c.b.equals("l2s0"))
                .findFirst()
                .orElseThrow();
        int leafPort = cable.aPort;
        int freed = cable.bPort;
        plan.remove(cable);
        plan.connect("leaf0", leafPort, "l2s8", plan.freePort("l2s8"));

        assertThat(told())
                .containsExactly("cable leaf0 port " + leafPort
                        + " – l2s8 port 12 leads to the wrong switch: expected l2s0" + " (free port " + freed + ")");
    }

    @Test
    void shouldSayWhyAFabricIsNotWhole() {
        plan.remove(plan.cables.get(0));

        assertThat(DesignCheck.recognise(plan.view(new Random(2))))
                .isInstanceOfSatisfying(
                        NotWhole.class,
                        no -> assertThat(no.reason())
                                .startsWith(
                                        "most like 3;4,4,3;1,3,3;1,2,1, but 1 of 2 cables between leaf0 (free port"));
        assertThat(DesignCheck.recognise(new CablePlan().view(new Random(2))))
                .isEqualTo(new NotWhole("no switch has hosts; expected leaves to recognise a fabric by"));
    }

    @Test
    void shouldGuessNoShapeThatIsFarFromTheFabric() {
        for (int pod = 1; pod <= 2; pod++) {
            for (int leaf = 4 * pod; leaf < 4 * pod + 4; leaf++) {
                plan.removeSwitch("leaf" + leaf);
            }
        }
        for (int i = 3; i < 9; i++) {
            plan.removeSwitch("l2s" + i);
        }
        for (int i = 1; i < 9; i++) {
            plan.removeSwitch("l3s" + i);
        }

        assertThat(DesignCheck.recognise(plan.view(new Random(2))))
                .isInstanceOfSatisfying(
                        NotWhole.class, no -> assertThat(no.reason()).startsWith("most like 2;4,4;1,3;1,2"));
    }

    @Test
    void shouldKeepNoMoreDeviationsThanItSays() {
        PgftShape huge = PgftShape.parse("2;1,200;1,200;1,1");

        DesignReport report = DesignCheck.verify(new CablePlan().view(new Random(2)), huge);

        assertThat(report.deviationCount()).isEqualTo(huge.switchCount());
        assertThat(DesignCheck.verify(plan.view(new Random(2)), PgftShape.parse("3;1,150,150;1,2,2;1,1,1")))
                .satisfies(r -> assertThat(r.deviations()).hasSize(DesignReport.DEVIATIONS_MAX))
                .satisfies(r -> assertThat(r.deviationCount()).isGreaterThan(22_000));
    }
}

package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.SwitchClaims.PortClaim;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Plane numbers are dealt when switches are first seen, kept, and handed over with the place. */
class PlanesTest {
    private static final long FRESH = 0x7fff_0000_0000_0001L;

    private final SimulatedFabric fabric = new SimulatedFabric(
            PgftGenerator.generateShuffled(PgftShape.parse("3;2,2,4;1,2,2;1,2,1"), new SplittableRandom(4)));

    private static Map<Long, Integer> kept(SimulatedFabric fabric) {
        Map<Long, Integer> kept = new TreeMap<>(Long::compareUnsigned);
        fabric.disk.all(SwitchPlane.class).forEach(plane -> kept.put(plane.guid(), plane.number()));
        return kept;
    }

    private static FabricView view(SimulatedFabric fabric) {
        return Objects.requireNonNull(fabric.state.view());
    }

    private static int plane(SimulatedFabric fabric, long guid) {
        FabricView view = view(fabric);
        return view.plane(view.switchOf(guid));
    }

    @Test
    void shouldKeepThePlanesFoundInTheFirstFabric() {
        fabric.start();

        PlaneNumbers found = new PlaneNumbers();
        FabricView whole = found.number(fabric.whole());

        Map<Long, Integer> kept = kept(fabric);
        assertThat(kept).hasSize(12);
        for (int s = 0; s < whole.switchCount(); s++) {
            assertThat(plane(fabric, whole.switchGuid(s))).isEqualTo(whole.plane(s));
            assertThat(kept.get(whole.switchGuid(s))).isEqualTo(whole.rank(s) == 0 ? null : whole.plane(s));
        }
    }

    /** Whoever is away when the manager comes back changes nobody's place, and nothing is pushed for it. */
    @Test
    void shouldGoOnWithThePlanesOfTheLastRun() {
        fabric.start();
        Map<Long, Integer> kept = kept(fabric);
        fabric.setLinks(fabric.guid("l2s3"), false, true);
        fabric.leave(fabric.guid("l2s3"));
        fabric.pass(5_000 * MILLI);

        SimulatedFabric next = fabric.restarted();
        next.start();

        assertThat(kept(next)).isEqualTo(kept);
        kept.forEach((guid, number) -> assertThat(plane(next, guid)).isEqualTo(number));
    }

    @Test
    void shouldGiveTheNumberToWhoeverTakesThePlaceAndForgetTheOther() {
        fabric.start();
        long old = fabric.guid("l3s1");
        int number = Objects.requireNonNull(kept(fabric).get(old));
        putInThePlaceOf(fabric, old);

        fabric.send(new ActAsked(fabric.now, Act.replace(old, FRESH), 0, "ada", ""));
        fabric.work();
        fabric.calm();

        assertThat(plane(fabric, FRESH)).isEqualTo(number);
        assertThat(kept(fabric)).doesNotContainKey(old).containsEntry(FRESH, number);
        assertThat(kept(fabric.restarted())).containsEntry(FRESH, number);
    }

    /** The leaves of one pod come last, and until then its other switches seem to be higher up. */
    private List<Long> joinAllButTheLeavesOfAPod() {
        FabricView whole = fabric.whole();
        int mid = whole.switchOf(fabric.guid("l2s0"));
        List<Long> late = IntStream.range(0, whole.switchCount())
                .filter(s -> IntStream.range(whole.groupStart(mid), whole.groupEnd(mid))
                        .anyMatch(g -> whole.groupRemote(g) == s && whole.rank(s) == 0))
                .mapToObj(whole::switchGuid)
                .toList();
        IntStream.range(0, whole.switchCount())
                .mapToObj(whole::switchGuid)
                .filter(guid -> !late.contains(guid))
                .forEach(fabric::join);
        fabric.pass(20_000 * MILLI);
        return late;
    }

    @Test
    void shouldKeepThemWhileAFabricThatTeachesLevelsAnewIsRefused() {
        List<Long> late = joinAllButTheLeavesOfAPod();
        Map<Long, Integer> kept = kept(fabric);
        fabric.engines.put(Method.INCREMENTAL, new BrokenEngine());
        fabric.engines.put(Method.FRESH, new BrokenEngine());

        late.forEach(fabric::join);
        fabric.calm();

        assertThat(fabric.notes(LoggedEvent.Kind.EPOCH_REFUSED)).isNotEmpty();
        assertThat(kept).isNotEmpty();
        assertThat(kept(fabric)).isEqualTo(kept);
        kept.forEach((guid, number) ->
                assertThat(fabric.state.identity.planes.of(guid)).isEqualTo(number));
    }

    @Test
    void shouldFindThemAnewWithTheLevels() {
        List<Long> late = joinAllButTheLeavesOfAPod();

        late.forEach(fabric::join);
        fabric.calm();

        Map<Long, Integer> found = new TreeMap<>(Long::compareUnsigned);
        FabricView whole = new PlaneNumbers().number(fabric.whole());
        IntStream.range(0, whole.switchCount())
                .filter(s -> whole.rank(s) > 0)
                .forEach(s -> found.put(whole.switchGuid(s), whole.plane(s)));
        assertThat(fabric.notes(LoggedEvent.Kind.LEVELS_LEARNT))
                .anySatisfy(note -> assertThat(note.text()).startsWith("known levels do not fit"));
        assertThat(kept(fabric)).isEqualTo(found);
        found.forEach((guid, number) -> assertThat(plane(fabric, guid)).isEqualTo(number));
    }

    /** A number that would not survive is not dealt: the next run would deal another one. */
    @Test
    void shouldDealNoNumberWhileTheDiskTakesNothing() {
        long late = fabric.guid("l3s0");
        FabricView whole = fabric.whole();
        for (int s = 0; s < whole.switchCount(); s++) {
            if (whole.switchGuid(s) != late) {
                fabric.join(whole.switchGuid(s));
            }
        }
        fabric.pass(20_000 * MILLI);
        fabric.calm();
        fabric.diskTakes = false;
        fabric.send(new StoreReported(fabric.now, "No space left on device"));
        fabric.join(late);
        fabric.calm();
        assertThat(fabric.state.identity.planes.of(late)).isEqualTo(-1);

        fabric.diskTakes = true;
        fabric.send(new StoreReported(fabric.now, ""));
        fabric.send(new Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.pass(5_000 * MILLI);

        assertThat(kept(fabric)).hasSize(12).containsKey(late);
        assertThat(plane(fabric, late)).isEqualTo(kept(fabric).get(late));
    }

    /** Whoever asked is told that it is done: a crash before the next view must not undo half of it. */
    @Test
    void shouldKeepTheNumberThatIsHandedOnWithTheActItself() {
        fabric.start();
        long old = fabric.guid("l3s1");
        int number = Objects.requireNonNull(kept(fabric).get(old));
        putInThePlaceOf(fabric, old);
        computeForAWhile(fabric);

        fabric.send(new ActAsked(fabric.now, Act.replace(old, FRESH), 0, "ada", ""));
        fabric.work();

        assertThat(fabric.state.computing()).isTrue();
        assertThat(kept(fabric)).doesNotContainKey(old).containsEntry(FRESH, number);
    }

    /** The store takes no number but those there are: with another one the manager would not start again. */
    @Test
    void shouldForgetASwitchThatGotItsNumberSinceTheLastView() {
        fabric.start();
        long old = fabric.guid("l3s1");
        putInThePlaceOf(fabric, old);
        computeForAWhile(fabric);
        fabric.send(new ActAsked(fabric.now, Act.replace(old, FRESH), 0, "ada", ""));
        fabric.work();
        fabric.setLinks(FRESH, false, true);
        fabric.leave(FRESH);
        fabric.work();

        fabric.send(new ActAsked(fabric.now, Act.forget(List.of(new SwitchGuid(FRESH))), 0, "ada", ""));
        fabric.work();
        fabric.finishComputation(false);
        fabric.calm();

        assertThat(fabric.state.findSwitch(FRESH)).isNull();
        assertThat(kept(fabric)).doesNotContainKeys(old, FRESH).hasSize(11);
    }

    /** Numbers are of no use for a while, and still those of the switches there are when they are used again. */
    @Test
    void shouldFollowTheSwitchesWhileGroupsAreOrderedByGuid() {
        fabric.start();
        Map<Long, Integer> first = kept(fabric);
        long lost = fabric.guid("l2s3");
        long old = fabric.guid("l3s1");
        SimulatedFabric byGuid = fabric.restarted(SimulatedFabric.RULES.withDesign(null, GroupOrder.GUID));
        byGuid.start();
        assertThat(view(byGuid).hasPlanes()).isFalse();

        byGuid.setLinks(lost, false, true);
        byGuid.leave(lost);
        byGuid.calm();
        byGuid.send(new ActAsked(byGuid.now, Act.forget(List.of(new SwitchGuid(lost))), 0, "ada", ""));
        putInThePlaceOf(byGuid, old);
        byGuid.send(new ActAsked(byGuid.now, Act.replace(old, FRESH), 0, "ada", ""));
        byGuid.calm();

        Map<Long, Integer> expected = new TreeMap<>(Long::compareUnsigned);
        expected.putAll(first);
        expected.put(FRESH, Objects.requireNonNull(expected.remove(old)));
        expected.remove(lost);
        assertThat(kept(byGuid)).isEqualTo(expected);
        SimulatedFabric byPlane = byGuid.restarted();
        byPlane.pass(20_000 * MILLI);
        assertThat(plane(byPlane, FRESH)).isEqualTo(first.get(old));
    }

    /** Levels are known and numbers are not, as after a time with groups by GUID: only numbers wait for a slow disk then. */
    @Test
    void shouldSendNoTablesThatRestOnNumbersTheDiskHasNotTaken() {
        SimulatedFabric next = knowingLevelsAlone();
        Map<Long, Long> before = digests(next);
        next.diskTakes = false;
        joinAll(next);
        next.pass(5_000 * MILLI);
        assertThat(next.state.serving).isNotNull();
        assertThat(digests(next)).isEqualTo(before);

        next.send(new Persisted(next.now, next.state.records.lastNumber()));
        next.pass(5_000 * MILLI);

        assertThat(digests(next)).isNotEqualTo(before);
    }

    /** The disk is full by the time the numbers come: faults are mended without them. */
    @Test
    void shouldHealWithoutNumbersThatTheDiskDidNotTake() {
        SimulatedFabric next = knowingLevelsAlone();
        next.diskTakes = false;
        joinAll(next);
        next.pass(100 * MILLI);
        assertThat(next.state.identity.planes.lines()).hasSize(21);
        next.send(new StoreReported(next.now, "No space left on device"));
        next.setCable(next.cableAt(next.guid("l2s0")), false, true);
        next.pass(5_000 * MILLI);

        FabricView view = view(next);
        assertThat(IntStream.range(0, view.switchCount())
                        .filter(s -> view.rank(s) > 0 && view.plane(s) != Integer.MAX_VALUE))
                .isEmpty();
        assertThat(next.state.calm()).isTrue();
        assertThat(next.count(Effect.Push.class)).isPositive();

        next.diskTakes = true;
        next.send(new StoreReported(next.now, ""));
        next.send(new Persisted(next.now, next.state.records.lastNumber()));
        next.pass(5_000 * MILLI);

        for (String name : List.of("l2s0", "l2s3", "l3s1")) {
            assertThat(plane(next, next.guid(name))).isEqualTo(next.state.identity.planes.of(next.guid(name)));
        }
    }

    /** Nobody knows that the disk is full before the tables that rest on the numbers are there. */
    @Test
    void shouldThrowAwayTablesThatRestOnNumbersTheDiskCannotTake() {
        SimulatedFabric next = knowingLevelsAlone();
        next.diskTakes = false;
        next.computing = any -> {
            if (next.state.computing() && next.state.storeFailure.isEmpty()) {
                next.send(new StoreReported(next.now, "No space left on device"));
            }
        };
        joinAll(next);
        next.pass(5_000 * MILLI);

        assertThat(next.notes(LoggedEvent.Kind.EPOCH_SUPERSEDED))
                .singleElement()
                .extracting(LoggedEvent::text)
                .asString()
                .endsWith(": its new plane numbers cannot be kept");
        assertThat(view(next).plane(view(next).switchOf(next.guid("l3s1")))).isEqualTo(Integer.MAX_VALUE);
        assertThat(next.state.calm()).isTrue();
    }

    /** Its table is one of the order before, and so are those by which the others forward when the manager starts. */
    @Test
    void shouldKnowWhatAHeadlessSwitchHoldsWhenTheOrderIsAnother() {
        SimulatedFabric last = shuffled().start();
        for (GroupOrder order : List.of(GroupOrder.GUID, GroupOrder.PLANE)) {
            FabricRules rules = SimulatedFabric.RULES.withDesign(null, order);
            Map<Long, Long> before = digests(last);
            Map<Long, Long> after = digests(last.restarted(rules).start());
            long away = before.keySet().stream()
                    .filter(guid -> !Objects.equals(before.get(guid), after.get(guid)))
                    .findFirst()
                    .orElseThrow();
            SimulatedFabric next = last.restarted(rules);
            before.keySet().stream().filter(guid -> guid != away).forEach(next::join);
            next.pass(20_000 * MILLI);

            assertThat(Objects.requireNonNull(next.state.findSwitch(away)).possibleRows())
                    .extracting(row -> TableDigest.of(row.toBytes()))
                    .containsExactly(before.get(away));
            next.join(away);
            next.calm();
            assertThat(digests(next)).isEqualTo(after);
            last = next;
        }
    }

    /** The settings name another engine since; a switch without an agent forwards by tables of the one before. */
    @Test
    void shouldKnowWhatAHeadlessSwitchHoldsWhenTheEngineIsAnother() {
        SimulatedFabric last = shuffled();
        last.state.routesBy("dmodc", any -> 0);
        last.start();
        Map<Long, Long> before = digests(last);
        Map<Long, Long> after = digests(byMinHop(last).start());
        long away = before.keySet().stream()
                .filter(guid -> !Objects.equals(before.get(guid), after.get(guid)))
                .findFirst()
                .orElseThrow();

        SimulatedFabric next = byMinHop(last);
        before.keySet().stream().filter(guid -> guid != away).forEach(next::join);
        next.pass(20_000 * MILLI);

        assertThat(Objects.requireNonNull(next.state.findSwitch(away)).possibleRows())
                .extracting(row -> TableDigest.of(row.toBytes()))
                .containsExactly(before.get(away));
        next.join(away);
        next.calm();
        assertThat(digests(next)).isEqualTo(after);
    }

    /** Other switches are named as roots since: nobody forwards by what the engine makes of them. */
    @Test
    void shouldNotTakeTablesOfOtherRootsForWhatAHeadlessSwitchHolds() {
        SimulatedFabric last = byRoots(shuffled(), "l3s0", "l3s1");
        last.start();
        Map<Long, Long> before = digests(last);
        Map<Long, Long> after =
                digests(byRoots(last.restarted(), "l3s1", "l3s2").start());
        long away = before.keySet().stream()
                .filter(guid -> !Objects.equals(before.get(guid), after.get(guid)))
                .findFirst()
                .orElseThrow();

        for (boolean otherRoots : new boolean[] {true, false}) {
            SimulatedFabric next = byRoots(last.restarted(), otherRoots ? "l3s2" : "l3s0", "l3s1");
            before.keySet().stream().filter(guid -> guid != away).forEach(next::join);
            next.pass(20_000 * MILLI);

            assertThat(Objects.requireNonNull(next.state.findSwitch(away)).possibleRows())
                    .extracting(row -> TableDigest.of(row.toBytes()))
                    .containsExactlyElementsOf(otherRoots ? List.of() : List.of(before.get(away)));
            next.join(away);
            next.calm();
            assertThat(digests(next)).isEqualTo(otherRoots ? after : before);
        }
    }

    private static SimulatedFabric byRoots(SimulatedFabric fabric, String... roots) {
        List<String> lines = Stream.of(roots)
                .map(name -> Guid.format(fabric.guid(name)) + " # " + name)
                .toList();
        EngineChoice choice = new EngineChoice("updn", null, lines, "roots");
        fabric.state.routesBy("updn", choice::basis);
        fabric.named.put("", choice.own("").engine());
        return fabric;
    }

    private static SimulatedFabric byMinHop(SimulatedFabric last) {
        SimulatedFabric next = last.restarted();
        next.state.routesBy("minhop", any -> 0);
        next.named.put("", new MinHop());
        next.named.put("dmodc", Dmodc.standard());
        return next;
    }

    /** A manager that starts with levels and without plane numbers; tables are those of groups by GUID. */
    private static SimulatedFabric knowingLevelsAlone() {
        SimulatedFabric byGuid = shuffled().start().restarted(SimulatedFabric.RULES.withDesign(null, GroupOrder.GUID));
        byGuid.start();
        kept(byGuid).keySet().forEach(guid -> byGuid.disk.apply(new Removed(new SwitchPlane(guid, 0).key())));
        return byGuid.restarted();
    }

    /** Tables by plane are not those by GUID. */
    private static SimulatedFabric shuffled() {
        return new SimulatedFabric(
                PgftGenerator.generateShuffled(PgftShape.parse("3;3,3,4;1,3,3;1,1,1"), new SplittableRandom(3)));
    }

    private static void joinAll(SimulatedFabric fabric) {
        FabricView whole = fabric.whole();
        IntStream.range(0, whole.switchCount()).forEach(s -> fabric.join(whole.switchGuid(s)));
    }

    private static Map<Long, Long> digests(SimulatedFabric fabric) {
        Map<Long, Long> digests = new TreeMap<>(Long::compareUnsigned);
        fabric.held.forEach((guid, row) -> digests.put(guid, TableDigest.of(row)));
        return digests;
    }

    private static void computeForAWhile(SimulatedFabric fabric) {
        fabric.holdComputations = true;
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.work();
    }

    private static void putInThePlaceOf(SimulatedFabric fabric, long old) {
        fabric.setLinks(old, false, true);
        fabric.leave(old);
        fabric.metal.apply(new SwitchSeen(FRESH, "fresh", 8));
        for (PortClaim port : fabric.metal.claims(old).ports()) {
            fabric.metal.apply(new PortSeen(FRESH, port.port(), true, port.neighbour()));
            ToSwitch to = (ToSwitch) Objects.requireNonNull(port.neighbour());
            fabric.metal.apply(new PortSeen(to.guid(), to.port(), true, new ToSwitch(FRESH, port.port())));
        }
        fabric.join(FRESH);
        fabric.calm();
    }
}

package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who has which host, against all claims read one by one: in any order, told once or often, patched or afresh. */
class HostOwnersTwinTest {
    private static final int SEEDS = 500 * Integer.getInteger("more", 1);
    private static final int ROUNDS = 6;
    private static final int SWITCHES = 4;
    private static final int PORTS = 4;
    private static final int HOSTS = 5;

    @Test
    void shouldNotDependOnTheOrderOfReports() {
        for (int seed = 0; seed < SEEDS; seed++) {
            new History(seed).run();
        }
    }

    /** The last word of every port, and of who is heard; rounds end with a view. */
    private static final class History {
        private final String what;
        private final Random random;
        private final TreeMap<PortPlace, PortSeen> said = new TreeMap<>();
        private final TreeMap<Long, Boolean> heard = new TreeMap<>();
        private final TreeMap<Long, PortPlace> lastUp = new TreeMap<>();
        private final FabricViewBuilder one = new FabricViewBuilder();
        private final FabricViewBuilder other = new FabricViewBuilder();
        private final NodeIndexMap nodes = new NodeIndexMap();

        History(int seed) {
            what = "seed " + seed;
            random = new Random(seed);
            for (long guid = 1; guid <= SWITCHES; guid++) {
                one.apply(new SwitchSeen(guid, "s" + guid, PORTS));
                other.apply(new SwitchSeen(guid, "s" + guid, PORTS));
                heard.put(guid, true);
                for (int port = 1; port <= PORTS; port++) {
                    said.put(new PortPlace(guid, port), new PortSeen(guid, port, false, null));
                }
            }
        }

        void run() {
            for (int round = 0; round < ROUNDS; round++) {
                List<FabricChange> reports = lastWords();
                tell(one, reports);
                tell(other, reports);
                assertOwners(one);
                assertOwners(other);
                assertSameView(round);
            }
        }

        private PortSeen last(PortPlace place) {
            return Objects.requireNonNull(said.get(place));
        }

        private boolean isHeard(long guid) {
            return heard.getOrDefault(guid, false);
        }

        private List<FabricChange> lastWords() {
            List<FabricChange> reports = new ArrayList<>();
            for (PortPlace place : List.copyOf(said.keySet())) {
                if (random.nextInt(3) == 0) {
                    Neighbour far = random.nextInt(3) == 0 ? last(place).neighbour() : anyNeighbour();
                    boolean up = random.nextBoolean();
                    boolean held = !up && random.nextBoolean();
                    said.put(place, new PortSeen(place.guid(), place.port(), up, far, held));
                    reports.add(last(place));
                }
            }
            for (long guid = 1; guid <= SWITCHES; guid++) {
                if (random.nextInt(6) == 0) {
                    heard.put(guid, random.nextBoolean());
                    reports.add(new SwitchHeard(guid, isHeard(guid)));
                }
            }
            return reports;
        }

        private @Nullable Neighbour anyNeighbour() {
            int kind = random.nextInt(8);
            return kind == 0
                    ? null
                    : kind < 3
                            ? new ToSwitch(1 + random.nextInt(SWITCHES), 1 + random.nextInt(PORTS))
                            : new ToHost(anyHost());
        }

        /** The same one by its GUID, whatever it is called and whichever address it has. */
        private Host anyHost() {
            HostAddresses addresses = HostAddresses.ofLid(random.nextInt(3));
            return new Host(1 + random.nextInt(HOSTS), 9, 1, "node" + random.nextInt(2), addresses);
        }

        /** In an order of its own, some of them more than once. */
        private void tell(FabricViewBuilder fabric, List<FabricChange> reports) {
            List<FabricChange> order = new ArrayList<>(reports);
            for (FabricChange report : reports) {
                if (random.nextInt(4) == 0) {
                    order.add(report);
                }
            }
            Collections.shuffle(order, random);
            order.forEach(fabric::apply);
        }

        private void assertOwners(FabricViewBuilder fabric) {
            for (PortPlace place : said.keySet()) {
                Neighbour claim = last(place).neighbour();
                Neighbour expected = claim instanceof ToHost to && !place.equals(owner(to)) ? null : claim;
                assertThat(fabric.claim(place.guid(), place.port())).as(what).isEqualTo(claim);
                assertThat(fabric.neighbour(place.guid(), place.port()))
                        .as(what + " " + place)
                        .isEqualTo(expected);
            }
        }

        /**
         * Everyone who names the host; those that are up now, else up and held, else were up when last heard, else all
         * that are down.
         */
        private @Nullable PortPlace owner(ToHost host) {
            List<PortPlace> naming = said.keySet().stream()
                    .filter(place -> host.isSameEnd(last(place).neighbour()))
                    .toList();
            List<PortPlace> up =
                    naming.stream().filter(place -> last(place).up()).toList();
            List<PortPlace> now =
                    up.stream().filter(place -> isHeard(place.guid())).toList();
            List<PortPlace> held = naming.stream().filter(this::isHeld).toList();
            boolean allDown = up.isEmpty() && held.isEmpty();
            List<PortPlace> best = !now.isEmpty() ? now : !held.isEmpty() ? held : allDown ? naming : up;
            PortPlace before = lastUp.get(host.host().portGuid());
            if (best.size() == 1 || (allDown && !best.contains(before))) {
                return best.get(0);
            }
            return best.contains(before) ? before : null;
        }

        private boolean isHeld(PortPlace place) {
            return last(place).held() && isHeard(place.guid());
        }

        private void assertSameView(int round) {
            FabricViewBuilder restored = new FabricViewBuilder();
            List<Long> guids = new ArrayList<>(heard.keySet());
            Collections.shuffle(guids, random);
            guids.forEach(guid -> restored.restore(one.claims(guid)));
            heard.forEach((guid, is) -> restored.apply(new SwitchHeard(guid, is)));
            said.values().stream().filter(PortSeen::held).forEach(restored::apply);
            NodeIndexMap sameNodes = NodeIndexMap.parse("nodes", nodes.lines());
            NodeIndexMap theirNodes = NodeIndexMap.parse("nodes", nodes.lines());
            List<String> view = ViewText.of(one.build(round, nodes, new GuidNumbers()));
            assertThat(ViewText.of(other.build(round, sameNodes, new GuidNumbers())))
                    .as(what)
                    .isEqualTo(view);
            assertThat(ViewText.of(restored.build(round, theirNodes, new GuidNumbers())))
                    .as(what + ", restored")
                    .isEqualTo(view);
            rememberOwners();
            for (long guid : heard.keySet()) {
                assertThat(other.claims(guid)).as(what).isEqualTo(one.claims(guid));
                assertThat(restored.claims(guid)).as(what + ", restored").isEqualTo(one.claims(guid));
            }
            assertLastUp();
        }

        private void rememberOwners() {
            TreeMap<Long, PortPlace> owners = new TreeMap<>();
            lastUp.forEach((host, place) -> {
                if (last(place).neighbour() instanceof ToHost to && to.host().portGuid() == host) {
                    owners.put(host, place);
                }
            });
            for (PortSeen seen : said.values()) {
                PortPlace owner = seen.neighbour() instanceof ToHost to ? owner(to) : null;
                if (owner != null && (last(owner).up() || isHeld(owner))) {
                    owners.put(to(seen).host().portGuid(), owner);
                }
            }
            lastUp.clear();
            lastUp.putAll(owners);
        }

        private static ToHost to(PortSeen seen) {
            return (ToHost) Objects.requireNonNull(seen.neighbour());
        }

        private void assertLastUp() {
            Map<Long, PortPlace> flagged = new TreeMap<>();
            for (long guid : heard.keySet()) {
                one.claims(guid).ports().stream()
                        .filter(SwitchClaims.PortClaim::lastUpOwner)
                        .forEach(port -> flagged.put(
                                ((ToHost) Objects.requireNonNull(port.neighbour()))
                                        .host()
                                        .portGuid(),
                                new PortPlace(guid, port.port())));
            }
            assertThat(flagged).as(what).isEqualTo(lastUp);
        }
    }
}

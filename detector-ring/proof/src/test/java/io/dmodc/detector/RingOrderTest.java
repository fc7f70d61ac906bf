package io.dmodc.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.detector.RingOrder.Run;
import io.dmodc.detector.RingOrder.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingOrderTest {
    private static final int SEEDS = 2_000;

    private static long[] guids(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Set<Long> guids = new HashSet<>();
        while (guids.size() < count) {
            guids.add(random.nextLong());
        }
        return guids.stream().sorted().mapToLong(Long::longValue).toArray();
    }

    /** Members in equal blocks, as index order of a PGFT has them; the last {@code tops} are in none. */
    private static FailureDomains pods(int count, int podSize, int tops) {
        FailureDomains domains = new FailureDomains(count);
        for (int member = 0; member < count - tops; member++) {
            domains.put(member, "pod", "pod " + member / podSize);
        }
        return domains;
    }

    private static int[] order(RingOrder ring) {
        return IntStream.range(0, ring.slotCount()).map(ring::member).toArray();
    }

    /** All orders tried: pairs of neighbours and kinds that share a domain, in the best one. */
    private static int fewestViolations(int[][] domainOf) {
        int count = domainOf.length;
        return permutations(count - 1).stream()
                .mapToInt(rest -> {
                    int bad = 0;
                    for (int slot = 0; slot < count; slot++) {
                        int[] a = domainOf[slot == 0 ? count - 1 : rest.get(slot - 1)];
                        int[] b = domainOf[slot == count - 1 ? count - 1 : rest.get(slot)];
                        for (int kind = 0; kind < a.length; kind++) {
                            bad += a[kind] >= 0 && a[kind] == b[kind] ? 1 : 0;
                        }
                    }
                    return bad;
                })
                .min()
                .orElseThrow();
    }

    private static List<List<Integer>> permutations(int count) {
        if (count == 0) {
            return List.of(List.of());
        }
        List<List<Integer>> all = new ArrayList<>();
        for (List<Integer> shorter : permutations(count - 1)) {
            for (int place = 0; place <= shorter.size(); place++) {
                List<Integer> longer = new ArrayList<>(shorter);
                longer.add(place, count - 1);
                all.add(longer);
            }
        }
        return all;
    }

    private static FailureDomains domains(int[][] domainOf) {
        FailureDomains domains = new FailureDomains(domainOf.length);
        for (int member = 0; member < domainOf.length; member++) {
            for (int kind = 0; kind < domainOf[member].length; kind++) {
                if (domainOf[member][kind] >= 0) {
                    domains.put(member, "kind" + kind, "domain" + domainOf[member][kind]);
                }
            }
        }
        return domains;
    }

    @Test
    void shouldFindTheFewestViolationsThereAreInSmallRings() {
        for (long seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int[][] domainOf = randomDomains(random, 3 + random.nextInt(6), 1 + random.nextInt(3));

            RingOrder ring = RingOrder.of(seed, guids(domainOf.length, seed), domains(domainOf));

            assertThat(ring.violations()).as("seed " + seed).hasSize(fewestViolations(domainOf));
        }
    }

    private static int[][] randomDomains(SplittableRandom random, int count, int kinds) {
        int[][] domainOf = new int[count][kinds];
        for (int kind = 0; kind < kinds; kind++) {
            int domainCount = 1 + random.nextInt(count);
            for (int[] member : domainOf) {
                member[kind] = random.nextInt(domainCount + 1) - 1;
            }
        }
        return domainOf;
    }

    @Test
    void shouldFindTheOrderThatWasHiddenInLargerRings() {
        for (long seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int[][] domainOf = hiddenOrder(random, 9 + random.nextInt(120), 1 + random.nextInt(3));

            RingOrder ring = RingOrder.of(seed, guids(domainOf.length, seed), domains(domainOf));

            assertThat(ring.violations()).as("seed " + seed).isEmpty();
        }
    }

    /** Member i and i + 1 never share a domain, so at least one order is without a violation. */
    private static int[][] hiddenOrder(SplittableRandom random, int count, int kinds) {
        int[][] domainOf = new int[count][kinds];
        for (int kind = 0; kind < kinds; kind++) {
            int domainCount = 4 + random.nextInt(12);
            for (int i = 0; i < count; i++) {
                do {
                    domainOf[i][kind] = random.nextInt(domainCount);
                } while ((i > 0 && domainOf[i][kind] == domainOf[i - 1][kind])
                        || (i == count - 1 && domainOf[i][kind] == domainOf[0][kind]));
            }
        }
        return domainOf;
    }

    @ParameterizedTest
    @CsvSource({"1024, 32, 0", "1296, 36, 324", "2048, 64, 1024", "2880, 48, 576", "1025, 512, 0"})
    void shouldKeepPodsApartInLargeFabrics(int count, int podSize, int tops) {
        for (long seed = 0; seed < 100; seed++) {
            RingOrder ring = RingOrder.of(seed, guids(count, seed), pods(count, podSize, tops));

            assertThat(ring.violations()).as("seed " + seed).isEmpty();
            assertThat(ring.worstRuns()).extracting(Run::length).containsExactly(1);
            assertThat(order(ring)).as("seed " + seed).doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldKeepPodsRacksAndPowerFeedsApartAtOnce() {
        for (long seed = 0; seed < 50; seed++) {
            FailureDomains domains = pods(1296, 36, 324);
            for (int member = 0; member < 1296; member++) {
                domains.put(member, "rack", "rack " + member % 1296 / 18)
                        .put(member, "power", "feed " + member / 9 % 4);
            }

            RingOrder ring = RingOrder.of(seed, guids(1296, seed), domains);

            assertThat(ring.violations()).as("seed " + seed).isEmpty();
        }
    }

    @Test
    void shouldListTheFewestViolationsWhenADomainHasMoreThanHalf() {
        for (long seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int count = 4 + random.nextInt(60);
            int large = count / 2 + 1 + random.nextInt((count + 1) / 2);
            FailureDomains domains = new FailureDomains(count);
            for (int member = 0; member < count; member++) {
                domains.put(member, "power", member < large ? "feed A" : "feed " + random.nextInt(3));
            }

            List<Violation> violations =
                    RingOrder.of(seed, guids(count, seed), domains).violations();

            assertThat(violations).as("seed " + seed).hasSize(2 * large - count).allSatisfy(violation -> {
                assertThat(violation.kind()).isEqualTo("power");
                assertThat(violation.domain()).isEqualTo("feed A");
            });
        }
    }

    @Test
    void shouldNameTheDomainTheSlotsAndTheLongestRun() {
        FailureDomains domains = new FailureDomains(5);
        for (int member = 0; member < 4; member++) {
            domains.put(member, "rack", "r7");
        }

        RingOrder ring = RingOrder.of(1, guids(5, 1), domains.put(4, "pod", "p1"));

        int apart = IntStream.range(0, 5)
                .filter(slot -> ring.member(slot) == 4)
                .findFirst()
                .orElseThrow();
        int start = (apart + 1) % 5;
        assertThat(ring.violations())
                .containsExactlyInAnyOrder(
                        new Violation("rack", "r7", start, (start + 1) % 5),
                        new Violation("rack", "r7", (start + 1) % 5, (start + 2) % 5),
                        new Violation("rack", "r7", (start + 2) % 5, (start + 3) % 5));
        assertThat(ring.worstRuns()).extracting(Run::kind).containsExactly("rack", "pod");
        assertThat(ring.worstRuns()).extracting(Run::domain).containsExactly("r7", "p1");
        assertThat(ring.worstRuns()).extracting(Run::length).containsExactly(4, 1);
    }

    @Test
    void shouldOrderRingsOfNoneToThree() {
        for (int count = 0; count <= 3; count++) {
            FailureDomains domains = new FailureDomains(count);
            for (int member = 0; member < count; member++) {
                domains.put(member, "pod", "p");
            }

            RingOrder ring = RingOrder.of(7, guids(count, 7), domains);

            assertThat(ring.slotCount()).isEqualTo(count);
            assertThat(ring.violations()).hasSize(List.of(0, 0, 1, 3).get(count));
        }
    }

    @Test
    void shouldScatterMembersAnewWithEachSeedAndAlikeWithTheSame() {
        long[] guids = guids(200, 1);

        int[] first = order(RingOrder.of(1, guids, pods(200, 20, 0)));

        assertThat(order(RingOrder.of(1, guids, pods(200, 20, 0)))).isEqualTo(first);
        assertThat(order(RingOrder.of(2, guids, pods(200, 20, 0)))).isNotEqualTo(first);
    }

    /** One who joins parts one pair; what the repair does differently because of that must stay a corner. */
    @Test
    void shouldChangeFewNeighboursWhenOneJoins() {
        int podSize = 32;
        int worst = 0;
        long sum = 0;
        for (long seed = 0; seed < SEEDS / 10; seed++) {
            long[] guids = guids(1024 + 1, seed);
            int joining = new SplittableRandom(seed).nextInt(1025);

            Set<List<Long>> before = neighbours(seed, guids, joining, podSize);
            Set<List<Long>> after = neighbours(seed, guids, -1, podSize);

            before.removeAll(after);
            worst = Math.max(worst, before.size());
            sum += before.size();
        }
        System.out.println("joins at 1,024: pairs parted, mean " + sum / (SEEDS / 10.0) + ", most " + worst);
        assertThat(sum / (SEEDS / 10.0)).isLessThan(2.5);
        assertThat(worst).isLessThan(20);
    }

    private static Set<List<Long>> neighbours(long seed, long[] guids, int without, int podSize) {
        List<Integer> present = IntStream.range(0, guids.length)
                .filter(i -> i != without)
                .boxed()
                .toList();
        FailureDomains domains = new FailureDomains(present.size());
        for (int member = 0; member < present.size(); member++) {
            domains.put(member, "pod", "pod " + present.get(member) / podSize);
        }
        long[] own = present.stream().mapToLong(i -> guids[i]).toArray();
        RingOrder ring = RingOrder.of(seed, own, domains);
        Set<List<Long>> pairs = new HashSet<>();
        for (int slot = 0; slot < own.length; slot++) {
            pairs.add(List.of(own[ring.member(slot)], own[ring.member((slot + 1) % own.length)]));
        }
        return pairs;
    }

    @Test
    void shouldRefuseAMemberInTwoDomainsOfAKindAndTooManyKinds() {
        FailureDomains domains = new FailureDomains(2).put(0, "rack", "r1").put(0, "rack", "r1");

        assertThatThrownBy(() -> domains.put(0, "rack", "r2"))
                .hasMessage("failure domains: member 0 in rack 'r1' and 'r2', expected one of them");
        for (int kind = 1; kind < FailureDomains.KINDS_MAX; kind++) {
            domains.put(1, "kind" + kind, "d");
        }
        assertThatThrownBy(() -> domains.put(1, "one more", "d"))
                .hasMessageStartingWith("failure domains: kind 'one more' besides [rack, kind1, ")
                .hasMessageEndingWith("], expected at most 8 kinds");
        assertThatThrownBy(() -> RingOrder.of(1, new long[3], new FailureDomains(2)))
                .hasMessage("ring order: 3 guids, domains of 2 members, expected as many");
    }
}

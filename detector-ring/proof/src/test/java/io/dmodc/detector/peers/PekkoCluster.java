package io.dmodc.detector.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.pekko.actor.Address;

/**
 * Members of a Pekko cluster. A member knows of a kill when it holds the victim unreachable, which is before anybody
 * takes it out. There is no downing provider: who is held unreachable by mistake comes back by itself, and a victim is
 * taken out by {@link #rejoin} as by an operator.
 *
 * <p>As with JGroups, the group forms and warms up without anybody being suspected.
 */
final class PekkoCluster implements Cluster {
    /** Members that join at the same time. */
    private static final int JOINERS = 8;

    private static final int WARM_UP_MILLIS_PER_MEMBER = 100;

    /** The group must stay whole so many budgets of silence once it is warm. */
    private static final int PROBATION = 2;

    private static final long END_LIMIT_SECONDS = 20;

    private final int size;
    private final PeerTiming timing;
    private final KillWatch watch;
    private final List<PekkoMember> members = new ArrayList<>();
    private final Map<Address, Integer> numbers = new ConcurrentHashMap<>();

    PekkoCluster(int size, PeerTiming timing, KillWatch watch) {
        this.size = size;
        this.timing = timing;
        this.watch = watch;
    }

    @Override
    public void form(long limitMillis) throws TrialNotRunException {
        PekkoDetector.suspect(false);
        long begun = System.nanoTime();
        while (members.size() < size) {
            startJoiners(Math.min(JOINERS, size - members.size()));
            awaitWhole(
                    "members that reach all that joined so far, " + members.size() + " of " + size, begun, limitMillis);
        }
        AgreementWait.sleep((long) WARM_UP_MILLIS_PER_MEMBER * size);
        awaitWhole("members that reach all once they are warm", begun, limitMillis);
        PekkoDetector.suspect(true);
        AgreementWait.sleep((long) PROBATION * timing.silenceMillis());
        int whole = whole();
        if (whole != size) {
            throw new TrialNotRunException("the group fell apart in calm: " + whole + " of " + size
                    + " members still reached all, " + watch.falseAccusations() + " false accusations");
        }
    }

    private void startJoiners(int count) throws TrialNotRunException {
        for (int joiner = 0; joiner < count; joiner++) {
            members.add(newMember(members.size()));
        }
        Address first = members.get(0).address();
        members.subList(members.size() - count, members.size()).forEach(member -> member.join(first));
    }

    private PekkoMember newMember(int number) throws TrialNotRunException {
        try {
            PekkoMember member = new PekkoMember(timing, subject -> noteUnreachable(number, subject));
            numbers.put(member.address(), number);
            return member;
        } catch (RuntimeException e) {
            throw new TrialNotRunException("member " + number + ": " + e, e);
        }
    }

    private void noteUnreachable(int witness, Address address) {
        long now = System.nanoTime();
        Integer subject = numbers.get(address);
        if (subject != null && subject != witness) {
            watch.learnt(witness, subject, now);
        }
    }

    private void awaitWhole(String what, long begunNanos, long limitMillis) throws TrialNotRunException {
        AgreementWait.until(what, members.size(), this::whole, begunNanos, limitMillis);
    }

    private int whole() {
        return (int) members.stream()
                .filter(member -> member.reachable() == members.size())
                .count();
    }

    @Override
    public void fallSilent(int member) {
        members.get(member).fallSilent(addressesBut(member));
    }

    private List<Address> addressesBut(int silent) {
        List<Address> others = new ArrayList<>();
        for (int number = 0; number < members.size(); number++) {
            if (number != silent) {
                others.add(members.get(number).address());
            }
        }
        return others;
    }

    /** A new system takes the place of the silent one, as a restarted process would. */
    @Override
    public void rejoin(int member, long limitMillis) throws TrialNotRunException {
        PekkoMember former = members.get(member);
        PekkoMember contact = members.get(member == 0 ? 1 : 0);
        contact.takeOut(former.address());
        end(List.of(former));
        PekkoMember back = newMember(member);
        members.set(member, back);
        back.join(contact.address());
        awaitWhole("members that reach all after member " + member + " came back", System.nanoTime(), limitMillis);
    }

    @Override
    public long sent() {
        return sum(PekkoMember::sent);
    }

    @Override
    public long received() {
        return sum(PekkoMember::received);
    }

    private long sum(ToLongFunction<PekkoMember> count) {
        return members.stream().mapToLong(count).sum();
    }

    /** All fall silent first: else the last ones would spend seconds on connecting to those that are gone. */
    @Override
    public void close() {
        PekkoDetector.suspect(false);
        for (int number = 0; number < members.size(); number++) {
            fallSilent(number);
        }
        end(members);
    }

    /** A system that does not end within the limit is left to the end of the process. */
    private static void end(List<PekkoMember> ending) {
        ending.forEach(PekkoMember::close);
        CompletableFuture.allOf(ending.stream()
                        .map(PekkoMember::ended)
                        .map(CompletionStage::toCompletableFuture)
                        .toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, END_LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}

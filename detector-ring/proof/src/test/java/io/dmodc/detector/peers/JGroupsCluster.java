package io.dmodc.detector.peers;

import java.net.DatagramSocket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jgroups.Address;

/**
 * Members of a JGroups cluster. What a thousand cold threads do in their first seconds looks like silence to a timeout
 * of 500 ms, so the group forms without failure detection; then FD_ALL3 runs with a long timeout until its code is
 * compiled, and with the real one from then on.
 */
final class JGroupsCluster implements Cluster {
    /** Members that join at the same time. */
    private static final int JOINERS = 8;

    private static final int WARM_UP_MILLIS_PER_MEMBER = 100;
    private static final int WARM_UP_SILENCE_MILLIS = 60_000;

    /** The group must keep its view so many budgets of silence after detection began. */
    private static final int PROBATION = 2;

    private final PeerTiming timing;
    private final KillWatch watch;
    private final int multicastPort;
    private final List<JGroupsMember> members = new ArrayList<>();
    private final Map<Address, Integer> numbers = new ConcurrentHashMap<>();

    JGroupsCluster(int size, PeerTiming timing, KillWatch watch) throws TrialNotRunException {
        this.timing = timing;
        this.watch = watch;
        this.multicastPort = freePort();
        for (int number = 0; number < size; number++) {
            members.add(newMember(number, false));
        }
    }

    private static int freePort() throws TrialNotRunException {
        try (DatagramSocket socket = new DatagramSocket()) {
            return socket.getLocalPort();
        } catch (SocketException e) {
            throw new TrialNotRunException("no free UDP port: " + e.getMessage(), e);
        }
    }

    private JGroupsMember newMember(int number, boolean detecting) throws TrialNotRunException {
        try {
            return new JGroupsMember("m" + number, multicastPort, timing, detecting, left -> noteLeft(number, left));
        } catch (Exception e) {
            throw new TrialNotRunException("member " + number + ": " + e, e);
        }
    }

    private void noteLeft(int witness, List<Address> left) {
        long now = System.nanoTime();
        for (Address address : left) {
            Integer subject = numbers.get(address);
            if (subject != null && subject != witness) {
                watch.learnt(witness, subject, now);
            }
        }
    }

    @Override
    public void form(long limitMillis) throws TrialNotRunException {
        connect(0);
        connectOthers(limitMillis);
        awaitWholeViews("members with a view of all before detection", limitMillis);
        detect(WARM_UP_SILENCE_MILLIS);
        AgreementWait.sleep((long) WARM_UP_MILLIS_PER_MEMBER * members.size());
        detect(timing.silenceMillis());
        AgreementWait.sleep((long) PROBATION * (timing.silenceMillis() + timing.verifyMillis()));
        int whole = withWholeView();
        if (whole != members.size()) {
            throw new TrialNotRunException("the group fell apart in calm once FD_ALL3 ran: " + whole + " of "
                    + members.size() + " members still had all in their view, " + watch.falseAccusations()
                    + " false accusations");
        }
    }

    private void connectOthers(long limitMillis) throws TrialNotRunException {
        ExecutorService joiners = Executors.newFixedThreadPool(JOINERS);
        try {
            List<Callable<Object>> joins = new ArrayList<>();
            for (int number = 1; number < members.size(); number++) {
                int joiner = number;
                joins.add(() -> {
                    connect(joiner);
                    return joiner;
                });
            }
            for (Future<Object> join : joiners.invokeAll(joins, limitMillis, TimeUnit.MILLISECONDS)) {
                if (join.isCancelled()) {
                    throw new TrialNotRunException("members that joined: " + numbers.size() + " of " + members.size()
                            + " after " + limitMillis + " ms");
                }
                join.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrialNotRunException("interrupted while joining", e);
        } catch (ExecutionException e) {
            throw new TrialNotRunException("joining: " + e.getCause(), e);
        } finally {
            joiners.shutdownNow();
        }
    }

    private void connect(int number) throws TrialNotRunException {
        JGroupsMember member = members.get(number);
        try {
            member.connect();
        } catch (Exception e) {
            throw new TrialNotRunException("member " + number + " cannot join: " + e.getMessage(), e);
        }
        numbers.put(member.address(), number);
    }

    private void detect(int silenceMillis) throws TrialNotRunException {
        for (JGroupsMember member : members) {
            try {
                member.detect(timing.heartbeatMillis(), silenceMillis);
            } catch (Exception e) {
                throw new TrialNotRunException("FD_ALL3 does not start: " + e, e);
            }
        }
    }

    private void awaitWholeViews(String what, long limitMillis) throws TrialNotRunException {
        AgreementWait.until(what, members.size(), this::withWholeView, limitMillis);
    }

    private int withWholeView() {
        return (int) members.stream()
                .filter(member -> member.viewSize() == members.size())
                .count();
    }

    @Override
    public void fallSilent(int member) {
        members.get(member).fallSilent();
    }

    /** A new channel takes the place of the silent one, as a restarted process would. */
    @Override
    public void rejoin(int member, long limitMillis) throws TrialNotRunException {
        members.get(member).close();
        members.set(member, newMember(member, true));
        connect(member);
        awaitWholeViews("members with a view of all after member " + member + " came back", limitMillis);
    }

    @Override
    public long sent() {
        return sum(JGroupsMember::sent);
    }

    @Override
    public long received() {
        return sum(JGroupsMember::received);
    }

    private long sum(ToLongFunction<JGroupsMember> count) {
        return members.stream().mapToLong(count).sum();
    }

    /** All fall silent first: else the last ones would spend seconds on agreeing who has left. */
    @Override
    public void close() {
        members.forEach(JGroupsMember::fallSilent);
        members.forEach(JGroupsMember::close);
    }
}

package io.dmodc.agent.linux;

import io.dmodc.agent.plane.HelloChannel;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Who is at the far ends of the ports, found out over the cables themselves. Methods from any thread. */
public interface Cabling extends AutoCloseable {
    /**
     * A port's interface has carrier, or has none. Told again with the same name, the interface is looked at anew.
     *
     * @param port 1..port count
     * @param interfaceName null: no carrier
     */
    void carrier(int port, @Nullable String interfaceName);

    /** Returns the far end as announced last, also while the port is down; null: nobody was heard yet. */
    @Nullable
    FarEnd farEnd(int port);

    /** Returns the way for hellos over the ports with carrier. */
    HelloChannel hellos();

    /** Returns the way for {@linkplain WithdrawalCodec withdrawals} over the ports with carrier. */
    default CableFrames withdrawals() {
        return CableFrames.NONE;
    }

    /**
     * Names who is told the number of a port whose far end is another, or has another address; the one before is told no more.
     * Told on the cabling's thread; must return at once.
     */
    void listen(IntConsumer changed);

    /**
     * Asks the kernel at the far end whether the cable carries, whoever runs there: an agent that died says no hellos, and its switch
     * forwards on. Waits for the answer, some {@value FarKernel#WAIT_MILLIS} ms at most.
     *
     * @return false: no answer came, or nobody can be asked
     */
    default boolean answers(int port) {
        return false;
    }

    /** Neither speaks nor listens any more. */
    @Override
    void close();
}

package io.dmodc.agent.linux;

import io.dmodc.agent.plane.HelloChannel;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A cabling that knows more than another one, which it closes; in all else it is that one. */
abstract class CablingFilter implements Cabling {
    private final Cabling inner;

    CablingFilter(Cabling inner) {
        this.inner = inner;
    }

    @Override
    public void carrier(int port, @Nullable String interfaceName) {
        inner.carrier(port, interfaceName);
    }

    @Override
    public @Nullable FarEnd farEnd(int port) {
        return inner.farEnd(port);
    }

    @Override
    public boolean answers(int port) {
        return inner.answers(port);
    }

    @Override
    public HelloChannel hellos() {
        return inner.hellos();
    }

    @Override
    public CableFrames withdrawals() {
        return inner.withdrawals();
    }

    @Override
    public void listen(IntConsumer changed) {
        inner.listen(changed);
    }

    @Override
    public void close() {
        inner.close();
    }
}

package io.hasp.redis.redlock;

import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.ScriptCall;
import io.hasp.spi.BackendContext;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Gets the messages of nodes that keep a lock for a waiter of this client, and wakes the waiter: when a majority has called, or
 * shortly after the first call. If the waiter was released already, the lock is given back at once.
 */
public record WakeUpListener(
        HolderRegistry holders,
        RedlockProtocol redlock,
        BackendContext context,
        BiConsumer<RedlockNode, ScriptCall> sender)
        implements RedlockNode.Listener {
    private static final Duration MOMENT = Duration.ofMillis(3);

    @Override
    public void message(RedlockNode node, String message) {
        int bar = message.indexOf('|');
        if (bar <= 0) {
            return;
        }
        String holder = message.substring(0, bar);
        HolderState waiter = holders.find(holder);
        if (waiter == null) {
            List<String> keys = LockKeys.of(message.substring(bar + 1), holder);
            ScriptCall back = new ScriptCall(redlock.scripts().release(), keys, List.of(holder, "1", "0"));
            context.executor().execute(() -> sender.accept(node, back));
            return;
        }
        int called = waiter.called();
        if (called == redlock.quorum().majority()) {
            waiter.signals().onSignal(Signal.MAYBE_FREE);
        } else if (called == 1) {
            context.timing().schedule(MOMENT, () -> waiter.signals().onSignal(Signal.MAYBE_FREE));
        }
    }

    @Override
    public void returned() {
        holders.wakeAll();
    }
}

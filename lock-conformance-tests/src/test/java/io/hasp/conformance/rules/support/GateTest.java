package io.hasp.conformance.rules.support;

import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class GateTest {
    private final Gate gate = new Gate();

    private interface Passage {
        void pass() throws InterruptedException;
    }

    @Test
    void who_wants_to_be_alone_lets_those_in_who_come_later() throws Exception {
        gate.enter();
        Thread alone = waiting(gate::enterAlone);
        gate.enter();
        gate.leave();
        await().until(() -> alone.getState() == Thread.State.WAITING);
        gate.leave();
        alone.join();
    }

    @Test
    void nobody_enters_while_one_is_alone() throws Exception {
        gate.enterAlone();
        Thread other = waiting(gate::enter);
        gate.leaveAlone();
        other.join();
        Thread second = waiting(gate::enterAlone);
        gate.leave();
        second.join();
    }

    @Test
    void few_enter_at_first_and_more_with_each_that_leaves() throws Exception {
        for (int i = 0; i < 4; i++) {
            gate.enter();
        }
        Thread fifth = waiting(gate::enter);
        gate.leave();
        fifth.join();
        gate.enter();
        gate.enter();
        Thread next = waiting(gate::enter);
        gate.leave();
        next.join();
    }

    private static Thread waiting(Passage passage) {
        Thread thread = new Thread(() -> {
            try {
                passage.pass();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.WAITING);
        return thread;
    }
}

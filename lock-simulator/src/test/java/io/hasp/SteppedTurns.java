package io.hasp;

import io.hasp.engine.Turns;
import java.util.ArrayDeque;

/** The requests of one blocking call. */
final class SteppedTurns implements Turns {
    private final ArrayDeque<Turn> turns = new ArrayDeque<>();
    private boolean left;

    @Override
    public void take(Turn turn) {
        if (left) {
            turn.drop();
        } else {
            turns.add(turn);
        }
    }

    boolean none() {
        return turns.isEmpty();
    }

    /** Makes the next request; false if there is none. */
    boolean run() {
        Turn turn = turns.poll();
        if (turn != null) {
            turn.run();
        }
        return turn != null;
    }

    void leave() {
        left = true;
        for (Turn turn = turns.poll(); turn != null; turn = turns.poll()) {
            turn.drop();
        }
    }
}

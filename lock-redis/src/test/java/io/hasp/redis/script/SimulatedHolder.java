package io.hasp.redis.script;

import static io.hasp.redis.script.QueueSimulation.COMMAND_TIMEOUT;
import static io.hasp.redis.script.QueueSimulation.LOCK;
import static io.hasp.redis.script.QueueSimulation.MS;
import static io.hasp.redis.script.QueueSimulation.SECOND;

import io.hasp.spi.Share;
import java.util.ArrayList;
import java.util.List;

/** One holder id: waits for the lock until it has it or gives up, holds and renews it, gives back a part of it, releases it. */
final class SimulatedHolder {
    final String id;
    final Wish wish;
    final SimulatedClient client;
    private final QueueSimulation world;
    private final Runnable whenOver;
    private final SimulatedAttempt attempt;
    private Phase phase = Phase.WAITING;
    private boolean disturbed;
    private int weight;
    private long deadline;

    // As the server knows it.
    private long place;
    private long granted;

    SimulatedHolder(QueueSimulation world, SimulatedClient client, String id, Wish wish, Runnable whenOver) {
        this.world = world;
        this.client = client;
        this.id = id;
        this.wish = wish;
        this.whenOver = whenOver;
        weight = wish.weight();
        disturbed = !client.subscribed();
        client.add(this);
        client.runAfter(wish.patience(), this::giveUp);
        attempt = new SimulatedAttempt(world, this);
        attempt.ask();
    }

    private enum Phase {
        WAITING,
        HOLDING,
        OVER
    }

    /** A request for the lock. Times are in microseconds. */
    record Wish(int weight, int capacity, long lease, long patience, long hold) {}

    boolean waits() {
        return phase == Phase.WAITING;
    }

    /** True once a refusal has shown that it is in the queue. */
    boolean queued() {
        return waits() && attempt.refused();
    }

    /** True if it is in the queue as far as it knows, and has received all messages. */
    boolean informed() {
        return queued() && client.runs() && !attempt.hasMissed();
    }

    boolean believes() {
        return phase == Phase.HOLDING && world.now() < deadline;
    }

    int weight() {
        return weight;
    }

    /** Its place in the server's queue; 0 if it never was there. */
    long place() {
        return place;
    }

    long granted() {
        return granted;
    }

    void placed(long ticket) {
        place = ticket;
    }

    void granted(long token) {
        granted = token;
    }

    /** Its client was stopped, or has missed messages. */
    void disturb() {
        disturbed = true;
    }

    boolean disturbed() {
        return disturbed;
    }

    /** Lives, has a place and no grant, and nothing has happened to it: no other holder may be granted the lock before it. */
    boolean mustNotBePassed() {
        return waits() && place != 0 && granted == 0 && !disturbed && client.runs();
    }

    /** The server has sent a token, or 0 if this waiter has to ask now. */
    void told(long token) {
        attempt.told(token);
    }

    void missed() {
        attempt.missed();
    }

    /** A message may have been missed. */
    void wake() {
        attempt.wake();
    }

    private void giveUp() {
        if (waits()) {
            world.log(id + " GIVES UP");
            end();
        }
    }

    boolean shared() {
        return wish.capacity() > 1;
    }

    /** The margin that a client subtracts from a time by the server's clock. */
    static long margin(long duration) {
        return duration / 100 + 2 * MS;
    }

    /** It has the lock from now on, as its client believes. */
    void hold(long until, long renewAfter) {
        phase = Phase.HOLDING;
        deadline = until;
        world.log(id + " HOLDS");
        world.checks.holds(this);
        client.runAfter(wish.hold(), this::end);
        client.runAfter(renewAfter, this::renew);
        if (weight > 1 && world.choices.nextInt(4) == 0) {
            client.runAfter(wish.hold() / 2, this::lower);
        }
    }

    private void lower() {
        if (believes()) {
            weight = wish.capacity() == Share.READ_WRITE ? 1 : weight - 1;
            renew();
        }
    }

    private void renew() {
        if (!believes()) {
            return;
        }
        if (world.happens(world.faults.lostRequests)) {
            client.runAfter(wish.lease() / 6, this::renew);
            return;
        }
        long sentAt = world.now();
        List<String> request = new ArrayList<>(List.of(id, Long.toString(wish.lease() / MS)));
        if (shared()) {
            request.add(Integer.toString(weight));
        }
        // It may arrive behind one that lowers.
        if (world.happens(5 * world.faults.duplicates())) {
            world.after(world.choices.nextLong(MS, SECOND), () -> renews(request));
        }
        world.after(world.latency(), () -> {
            String reply = renews(request);
            client.runAfter(world.latency(), () -> renewed(sentAt, reply));
        });
    }

    private String renews(List<String> request) {
        return shared()
                ? world.serve(LockScript.SHARED_RENEW, LockKeys.renewedShare(LOCK), request)
                : world.serve(LockScript.RENEW, LockKeys.renewed(LOCK), request);
    }

    private void renewed(long sentAt, String reply) {
        if (!believes()) {
            return;
        }
        if (reply.equals("1")) {
            deadline = Math.max(deadline, sentAt + wish.lease() - margin(wish.lease()));
            client.runAfter(wish.lease() / 3, this::renew);
        } else {
            world.checks.violated(id + " believes in the lock, and its renewal is answered " + reply);
            end();
        }
    }

    /** Releases all that it has on the server. */
    void end() {
        if (phase != Phase.OVER) {
            over();
            release(attempt.mayArrive());
        }
    }

    /** It has nothing on the server. */
    void over() {
        phase = Phase.OVER;
        client.remove(this);
        whenOver.run();
    }

    private void release(boolean bury) {
        if (world.happens(world.faults.lostRequests)) {
            client.runAfter(COMMAND_TIMEOUT, () -> release(true));
            return;
        }
        world.after(world.latency(), () -> {
            String reply = world.serve(
                    shared() ? LockScript.SHARED_RELEASE : LockScript.RELEASE,
                    LockKeys.of(LOCK, id),
                    List.of(id, bury ? "1" : "0"));
            if (reply.startsWith("!") && !reply.contains("KIND")) {
                world.checks.violated("the release of " + id + " is answered " + reply);
            } else if (reply.endsWith("+")) {
                client.runAfter(world.latency(), () -> release(bury));
            }
        });
    }
}

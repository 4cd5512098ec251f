package io.hasp.redis.script;

import static io.hasp.redis.script.QueueSimulation.COMMAND_TIMEOUT;
import static io.hasp.redis.script.QueueSimulation.LOCK;
import static io.hasp.redis.script.QueueSimulation.MS;
import static io.hasp.redis.script.QueueSimulation.SECOND;

import java.util.ArrayList;
import java.util.List;

/** The requests of a waiter: asks, polls, hears messages, and believes them or not, as a client of Hasp does. */
final class SimulatedAttempt {
    /** For how long the server lets a waiter have the lock that has not confirmed it. */
    private static final long CLAIM = 1_250 * MS;

    private final QueueSimulation world;
    private final SimulatedHolder me;
    private final SimulatedClient client;
    private boolean asking;
    private boolean woken;
    private long asked;
    private int unanswered;
    private String ticket = "";
    private long refusedAt;
    private long refusedNewest;
    private long message;
    private boolean missed;

    SimulatedAttempt(QueueSimulation world, SimulatedHolder me) {
        this.world = world;
        this.me = me;
        client = me.client;
    }

    /** True once a refusal has shown that it is in the queue. */
    boolean refused() {
        return !ticket.isEmpty();
    }

    /** True if a request may still arrive at the server. */
    boolean mayArrive() {
        return unanswered > 0;
    }

    void told(long token) {
        message = token;
        wake();
    }

    /** A message was lost, and nothing makes up for it before the next poll. */
    void missed() {
        missed = true;
    }

    boolean hasMissed() {
        return missed;
    }

    void wake() {
        if (asking) {
            woken = true;
        } else if (me.queued()) {
            ask();
        }
    }

    void ask() {
        if (!me.waits() || asking || believesMessage()) {
            return;
        }
        woken = false;
        missed = false;
        asking = true;
        unanswered++;
        long number = ++asked;
        long sentAt = world.now();
        List<String> request = request();
        client.runAfter(COMMAND_TIMEOUT, () -> timeOut(number));
        if (world.happens(world.faults.duplicates())) {
            unanswered++;
            world.after(world.choices.nextLong(MS, 4 * SECOND), () -> arrives(request));
        }
        if (world.happens(world.faults.lostRequests)) {
            return;
        }
        world.after(world.latency(), () -> {
            if (!client.dead() || world.choices.nextBoolean()) {
                String reply = arrives(request);
                if (!world.happens(world.faults.lostRequests)) {
                    client.runAfter(world.latency(), () -> answered(sentAt, reply));
                }
            }
        });
    }

    private List<String> request() {
        String channel = client.subscribed() ? client.channel : "";
        List<String> request = new ArrayList<>(ScriptClient.request(me.id, me.wish.lease() / MS, true, channel, ""));
        if (me.shared()) {
            request.addAll(List.of(Integer.toString(me.wish.weight()), Integer.toString(me.wish.capacity())));
        }
        if (!ticket.isEmpty()) {
            request.add(ticket);
        }
        return request;
    }

    private String arrives(List<String> request) {
        String reply = world.serve(
                me.shared() ? LockScript.SHARED_ACQUIRE : LockScript.ACQUIRE, LockKeys.of(LOCK, me.id), request);
        if (reply.startsWith("BUSY|")) {
            me.placed(Long.parseLong(reply.split("\\|")[1]));
        }
        return reply;
    }

    /** A message is believed if it is newer than the last refusal, and then counts from that. */
    private boolean believesMessage() {
        long token = message;
        message = 0;
        if (token <= refusedNewest || ticket.isEmpty()) {
            return false;
        }
        long validity = CLAIM - SimulatedHolder.margin(CLAIM) - (world.now() - refusedAt);
        if (validity < CLAIM / 2) {
            return false;
        }
        me.hold(world.now() + Math.min(validity, me.wish.lease()), 100 * MS);
        return true;
    }

    private void timeOut(long number) {
        if (asking && number == asked) {
            asking = false;
            client.runAfter(100 * MS, this::ask);
        }
    }

    private void answered(long sentAt, String reply) {
        asking = false;
        unanswered--;
        String[] fields = reply.split("\\|", -1);
        if (!me.waits()) {
            return;
        }
        switch (fields[0]) {
            case "GRANTED" -> grantedFrom(sentAt);
            case "BUSY" -> refused(sentAt, fields);
            case "GONE" -> gone();
            default -> failed(reply);
        }
    }

    private void grantedFrom(long sentAt) {
        long until = sentAt + me.wish.lease() - SimulatedHolder.margin(me.wish.lease());
        if (until > world.now()) {
            me.hold(until, me.wish.lease() / 3);
        } else {
            me.end();
        }
    }

    private void refused(long sentAt, String[] fields) {
        ticket = fields[1];
        refusedAt = sentAt;
        refusedNewest = Long.parseLong(fields[3]);
        if (fields.length > 4 && fields[4].contains("~")) {
            client.listenAgain();
        }
        if (woken) {
            ask();
            return;
        }
        long number = asked;
        client.runAfter(Math.max(1, Long.parseLong(fields[2])) * MS, () -> {
            if (number == asked) {
                ask();
            }
        });
    }

    private void gone() {
        if (me.shared()) {
            world.checks.violated(me.id + " is GONE, though it was not released");
        }
        me.over();
    }

    private void failed(String reply) {
        boolean mismatch = reply.contains("KIND");
        if (!mismatch || (!me.disturbed() && !ticket.isEmpty() && world.faults.ordered())) {
            world.checks.violated(me.id + " was refused: " + reply);
        }
        me.end();
    }
}

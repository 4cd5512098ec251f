package io.hasp.redis.script;

import static io.hasp.redis.script.QueueSimulation.MS;

import java.util.ArrayList;
import java.util.List;

/** A process with a subscription, which may be stopped, killed or cut off from its messages. */
final class SimulatedClient {
    final String channel;
    private final QueueSimulation world;
    private final List<SimulatedHolder> waiters = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private boolean subscribed;
    /** The server has lost the subscription, and the client does not know it. */
    private boolean deaf;

    private boolean stopped;
    private boolean dead;
    private long lastMessage;

    SimulatedClient(QueueSimulation world) {
        this.world = world;
        channel = "hasp:c:p" + world.clients.size();
        world.clients.add(this);
        subscribe(true);
    }

    /** As far as it knows. */
    boolean subscribed() {
        return subscribed || deaf;
    }

    boolean runs() {
        return !stopped && !dead;
    }

    boolean dead() {
        return dead;
    }

    private void subscribe(boolean on) {
        subscribed = on;
        world.redis.subscribed(channel, on);
    }

    void add(SimulatedHolder waiter) {
        waiters.add(waiter);
        world.add(waiter);
    }

    void remove(SimulatedHolder waiter) {
        waiters.remove(waiter);
        world.holders.remove(waiter);
    }

    /** Runs a step of this process, when it runs again. */
    void run(Runnable step) {
        if (stopped && !dead) {
            held.add(step);
        } else if (!dead) {
            step.run();
        }
    }

    void runAfter(long delay, Runnable step) {
        world.after(delay, () -> run(step));
    }

    /** A message to this client was published. Those of one connection stay in order. */
    void send(String message) {
        SimulatedHolder waiter = world.holder(message.substring(0, message.indexOf('|')));
        if (subscribed && world.happens(world.faults.lostMessages)) {
            world.log("LOST " + message);
            waiter.missed();
        } else if (subscribed) {
            lastMessage = Math.max(lastMessage, world.now() + world.latency());
            runAfter(lastMessage - world.now(), () -> {
                if (subscribed) {
                    waiter.told(Long.parseLong(message.split("\\|")[1]));
                }
            });
        }
    }

    void stop(long duration) {
        if (runs()) {
            world.log(channel + " STOPS");
            stopped = true;
            disturb();
            world.after(duration, this::resume);
        }
    }

    private void resume() {
        if (!dead) {
            world.log(channel + " RESUMES");
            stopped = false;
            List<Runnable> due = List.copyOf(held);
            held.clear();
            due.forEach(Runnable::run);
        }
    }

    void die() {
        world.log(channel + " DIES");
        dead = true;
        deaf = false;
        disturb();
        world.holders.removeAll(waiters);
        subscribe(false);
    }

    /** The subscription ends, which the client notices, and is there again later. */
    void cut() {
        if (runs() && subscribed) {
            world.log(channel + " is CUT");
            subscribe(false);
            disturb();
            wake();
            runAfter(world.choices.nextLong(50 * MS, 2_500 * MS), () -> {
                world.log(channel + " is back");
                subscribe(true);
                wake();
            });
        }
    }

    /** The server ends the subscription, which the client hears of by its next refusal. */
    void deafen() {
        if (runs() && subscribed) {
            world.log(channel + " is DEAF");
            subscribe(false);
            deaf = true;
            disturb();
        }
    }

    /** A refusal says that the channel has no listener: subscribes again, and asks then. */
    void listenAgain() {
        if (deaf) {
            deaf = false;
            runAfter(world.choices.nextLong(50 * MS, 2_500 * MS), () -> {
                world.log(channel + " listens again");
                subscribe(true);
                wake();
            });
        }
    }

    private void disturb() {
        waiters.forEach(SimulatedHolder::disturb);
    }

    /** A message may have been missed. */
    private void wake() {
        List.copyOf(waiters).forEach(SimulatedHolder::wake);
    }
}

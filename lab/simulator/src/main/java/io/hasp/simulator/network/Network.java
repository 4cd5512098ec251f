package io.hasp.simulator.network;

import io.hasp.simulator.network.MessageFaults.Fate;
import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.threads.ThreadRole;
import io.hasp.simulator.world.ChoiceSequence;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.World;
import io.hasp.spi.BackendFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The network between the clients and the server. The scheduler decides when a message arrives, and in which order. A message may
 * get lost, come twice, or be refused. A request without a reply within the command timeout fails, and may arrive still.
 */
public final class Network {
    public final World world;
    public final SimulatedThreads threads;
    public final ReferenceServer server;
    final MessageFaults faults;
    private final List<Message> messages = new ArrayList<>();
    /** In the order of their timeouts. */
    private final ArrayDeque<ClientRequest> unanswered = new ArrayDeque<>();
    /** The server refuses every request. */
    public boolean outage;
    /** The latest request without a wait that was refused: a copy of it may still be on its way. */
    private Message.@Nullable Request refused;

    /** The number of requests that the clients have made. */
    public long sent;

    public Network(World world, SimulatedThreads threads, ReferenceServer server) {
        this.world = world;
        this.threads = threads;
        this.server = server;
        this.faults = new MessageFaults(this, world);
    }

    private void note(SimulatedBackend client, String what) {
        if (world.trace != null) {
            world.trace.line(world.now(), "c" + client.index(), what);
        }
    }

    private void note(String what, Message message) {
        if (world.trace != null) {
            note(message.client(), what + message.describe(world.trace));
        }
    }

    public int underWay() {
        return messages.size();
    }

    /** A client makes a request. */
    void send(ClientRequest request) {
        sent++;
        if (request.client.closed) {
            request.fail(faults.refused);
            return;
        }
        if (world.trace != null) {
            note(request.client, "asks " + request);
        }
        if (faults.answersAtOnce(request.client)) {
            answerAtOnce(request);
        } else {
            unanswered.addLast(request);
            messages.add(new Message.Request(request));
        }
    }

    /** The server sends a message that is no reply. */
    void post(Message message) {
        messages.add(message);
    }

    private void answerAtOnce(ClientRequest request) {
        Fate fate = faults.fate(request.client);
        if (outage || fate.isRefusal()) {
            request.fail(faults.refusal(fate));
            return;
        }
        ClientRequest.Reply reply = fate == Fate.LOST ? null : request.serve(server);
        // Here a duplicate stands for a lost reply: the server has served the request.
        if (reply == null || fate == Fate.DUPLICATED) {
            request.fail(faults.timedOut);
            return;
        }
        if (world.trace != null) {
            note(request.client, "is answered at once: " + reply.text());
        }
        request.answer(reply);
    }

    /** True if the message can be taken now. A paused client takes none; the server always does. */
    private boolean arrivable(Message message) {
        return message instanceof Message.Request || !message.client().isPaused();
    }

    /** Removes one of the first messages that can arrive; null if there is none. */
    private @Nullable Message take(int most) {
        int possible = 0;
        for (int i = 0; i < messages.size() && possible < most; i++) {
            if (arrivable(messages.get(i))) {
                possible++;
            }
        }
        if (possible == 0) {
            return null;
        }
        int chosen = world.healed() ? 0 : world.choices.below(possible);
        for (int i = 0; i < messages.size(); i++) {
            if (arrivable(messages.get(i)) && chosen-- == 0) {
                return messages.remove(i);
            }
        }
        throw new AssertionError("counted before");
    }

    /** Delivers one of the first messages that can arrive; false if there is none. */
    public boolean deliverOne(int most) {
        Message message = take(most);
        if (message != null) {
            deliver(message);
        }
        return message != null;
    }

    /** A message arrives, or is lost on its way. */
    private void deliver(Message message) {
        Fate fate = faults.fate(message.client());
        if (fate == Fate.LOST) {
            // The client may come to doubt its lease before the request times out.
            if (message.isAwaited()) {
                world.expectFailures();
            }
            note("lost on its way: ", message);
        } else if (message instanceof Message.Request arrived) {
            serve(arrived, fate);
        } else {
            if (fate == Fate.DUPLICATED) {
                messages.add(message);
            }
            threads.run(message.client(), ThreadRole.BACKEND, null, () -> threads.withoutBlocking(() -> hear(message)));
        }
    }

    private void serve(Message.Request arrived, Fate fate) {
        ClientRequest request = arrived.request();
        if (outage || fate.isRefusal()) {
            refuse(request, fate);
            return;
        }
        if (request.settled() || fate == Fate.DUPLICATED) {
            world.noteLateCopy();
        }
        ClientRequest.Reply reply = request.serve(server);
        if (world.trace != null) {
            note(
                    request.client,
                    "server does " + request + ": " + (reply == null ? "the session is over" : reply.text()));
        }
        messages.add(reply == null ? new Message.Rejection(request) : new Message.Response(request, reply));
        refused = reply != null && reply.isRefusal() ? arrived : refused;
        // A request that is resent gets the answer to its last copy: after a refusal for good, none is under way.
        if (fate == Fate.DUPLICATED && (reply == null || !reply.isFinal())) {
            messages.add(arrived);
        }
    }

    /** A copy of a request that was refused arrives late: perhaps the lock is free by now. */
    public void copyRefused() {
        if (refused != null) {
            messages.add(refused);
            refused = null;
        }
    }

    private void refuse(ClientRequest request, Fate fate) {
        // The first copy of the request may have been applied. A refusal of the second one must not deny that.
        BackendFailure why = request.served() ? faults.timedOut : faults.refusal(fate);
        messages.add(new Message.Response(
                request, new ClientRequest.Reply(String.valueOf(why.getMessage()), () -> request.refused(why))));
        if (world.trace != null) {
            note(request.client, "server refuses " + request + ": " + why.getMessage());
        }
    }

    private void hear(Message message) {
        note("hears: ", message);
        if (message instanceof Message.Response response) {
            response.request().answer(response.reply());
        } else if (message instanceof Message.Rejection rejection) {
            rejection.request().fail(faults.refused);
            rejection.client().sessionOver(rejection.request().session);
        } else if (message instanceof Message.SessionExpired expired) {
            expired.client().sessionOver(expired.session());
        } else if (message instanceof Message.Recall recall) {
            recall.client().hearRecall(recall.name(), recall.holder());
        } else if (message instanceof Message.Repetition repetition) {
            repetition.answer().run();
        } else if (message instanceof Message.Notification notification) {
            notification.client().hear(notification.holder(), notification.signal());
        }
    }

    /** Returns the moment at which the first request of a running client times out. */
    public long nextTimeout() {
        ClientRequest first = firstUnanswered();
        return first == null ? Long.MAX_VALUE : first.sentAt + Configuration.COMMAND_TIMEOUT.toNanos();
    }

    /** True if a request of a client about a lock is under way. */
    public boolean awaitsAnswer(SimulatedBackend client, String lock) {
        for (ClientRequest request : unanswered) {
            if (request.client == client
                    && !request.settled()
                    && request.name.value().equals(lock)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable ClientRequest firstUnanswered() {
        while (!unanswered.isEmpty() && unanswered.getFirst().settled()) {
            unanswered.removeFirst();
        }
        for (ClientRequest request : unanswered) {
            if (!request.settled() && !request.client.isPaused()) {
                return request;
            }
        }
        return null;
    }

    /** Fails the first request of a running client that has timed out; false if there is none. */
    public boolean timeOut() {
        ClientRequest request = firstUnanswered();
        if (request == null || nextTimeout() > world.now()) {
            return false;
        }
        if (world.trace != null) {
            note(request.client, request + " is not answered in time");
        }
        threads.run(request.client, ThreadRole.BACKEND, null, () -> request.fail(faults.timedOut));
        return true;
    }

    /** The connection of a closed client is gone: its unanswered requests fail. */
    public void hangUp(SimulatedBackend client) {
        for (ClientRequest request : List.copyOf(unanswered)) {
            if (request.client == client) {
                request.fail(faults.timedOut);
            }
        }
    }

    /** A hash of what is under way, without holders and moments. */
    public long state() {
        long hash = 0;
        for (Message message : messages) {
            hash += ChoiceSequence.mix(message.state());
        }
        return hash + (outage ? 1 : 0);
    }
}

package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.layout.TokenFloorNode;
import io.hasp.zookeeper.readers.ReadRequest;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A reader in a {@link ReadersWorld}, under one holder id. Reports wrong answers to the world. */
public final class WorldReader {
    private final ReadersWorld world;
    public final Claim claim;
    public final List<Signal> signals = new ArrayList<>();
    public final List<CompletableFuture<Attempt>> calls = new ArrayList<>();
    private int called;
    private @Nullable CompletableFuture<Released> released;
    private @Nullable Attempt last;
    private boolean woken;
    private boolean failed;

    WorldReader(ReadersWorld world, String id, boolean queue) {
        this.world = world;
        this.claim = Claim.renewedLease(new LockName("read"), new HolderId(id), Probe.LEASE, queue)
                .withShare(Share.READ);
    }

    /** Calls, for the first time or again. */
    public void call() {
        if (calls.isEmpty()) {
            called = world.folder.latest();
        }
        CompletableFuture<Attempt> call = new CompletableFuture<>();
        calls.add(call);
        woken = false;
        call.whenComplete(this::answered);
        try {
            world.reads.acquire(new ReadRequest(claim, this::signalled, ReadersWorld.STARTED, call), world.session());
        } catch (BackendFailure failure) {
            call.completeExceptionally(failure);
        }
    }

    /** Its calls got no answer in time. */
    public void timesOut() {
        assertThat(answered()).isFalse();
        calls.forEach(call -> call.completeExceptionally(ZooKeeperFailures.unknown("no answer in time")));
    }

    public CompletableFuture<Released> release() {
        released = world.release(claim.holder());
        return released;
    }

    private void answered(@Nullable Attempt attempt, @Nullable Throwable failure) {
        outsideTheMonitor();
        failed = failure != null;
        last = attempt;
        if (attempt instanceof Attempt.Granted granted) {
            if (released != null && released.isDone()) {
                world.wrong(this + " is granted after its release");
            } else {
                checkGrant(granted.grant().token());
            }
        }
    }

    private void signalled(Signal signal) {
        outsideTheMonitor();
        signals.add(signal);
        woken |= signal == Signal.MAYBE_FREE;
    }

    private void outsideTheMonitor() {
        if (Thread.holdsLock(world.reads)) {
            world.wrong(this + " is called in the monitor");
        }
    }

    /** No writer is before the grant's node, nor behind it if it came before the call; nor is a floor that did. */
    private void checkGrant(long token) {
        LockNode node = world.nodeOf(claim.holder());
        if (node == null) {
            world.wrong(this + " is granted without a node");
            return;
        }
        NodeName name = node.name();
        Map<String, ScriptedFolder.Child> atCall = world.folder.version(called);
        if (!atCall.containsKey(name.text()) && world.folder.created(name.text()) <= called) {
            world.wrong(this + " joined " + name + ", which was gone when it called");
        }
        boolean there = world.folder.now().containsKey(name.text());
        for (String other : world.folder.names()) {
            if (there && ReadersWorld.isWriter(other)) {
                boolean before = requireNonNull(NodeName.parse(other)).sequence() < name.sequence();
                if (before || atCall.containsKey(other)) {
                    world.wrong(this + " reads with " + name + (before ? " beside " : " and passed ") + other);
                }
            }
        }
        for (TokenFloorNode floor : TokenFloorNode.parseAll(List.copyOf(atCall.keySet()))) {
            if (token <= floor.offset()) {
                world.wrong(this + " has the token " + token + " below " + floor);
            }
        }
    }

    public boolean isReleased() {
        return released != null;
    }

    public boolean answered() {
        return calls.stream().allMatch(CompletableFuture::isDone);
    }

    public boolean failed() {
        return failed;
    }

    public boolean granted() {
        return last instanceof Attempt.Granted;
    }

    public boolean isBusy() {
        return answered() && last instanceof Attempt.Busy;
    }

    /** True if it waits for a signal. */
    public boolean waits() {
        return isBusy() && claim.queue() && !woken && !isReleased();
    }

    /** True if it has nothing and never will: it left, or got GONE. */
    public boolean isOver() {
        return isReleased() || (answered() && (last instanceof Attempt.Gone || (isBusy() && !claim.queue())));
    }

    @Override
    public String toString() {
        return claim.holder().value();
    }
}

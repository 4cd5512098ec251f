package io.hasp.test;

import io.hasp.LockEvent;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import io.hasp.test.LockRecord.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the client under test, in the order of their first attempts, and the grants in theirs. A repeated attempt of a
 * holder is the same request. Thread-safe; calls no other code.
 */
final class Requests {
    private final Timing clock;
    private final Map<HolderId, Request> all = new LinkedHashMap<>();
    private final List<Request> granted = new ArrayList<>();
    /** The numbers of waiting calls. */
    private final Map<String, Integer> waits = new HashMap<>();

    Requests(Timing clock) {
        this.clock = clock;
    }

    synchronized void sent(Claim claim, SignalListener signals) {
        Request request = all.computeIfAbsent(claim.holder(), holder -> new Request(claim, signals));
        request.signals = signals;
    }

    synchronized void answered(Claim claim, @Nullable Attempt answer) {
        Request request = all.get(claim.holder());
        if (request == null) {
            return;
        }
        request.answered = true;
        request.refused |= !(answer instanceof Attempt.Granted);
        if (request.withdrawn) {
            return;
        }
        if (answer instanceof Attempt.Granted grant) {
            granted(request, grant.grant());
        } else if (request.outcome == Outcome.WAITING || request.outcome == Outcome.FAILED) {
            request.outcome = answer == null ? Outcome.FAILED : request.claim.queue() ? Outcome.WAITING : Outcome.BUSY;
        }
    }

    private void granted(Request request, Grant grant) {
        request.endsAt = clock.nanoTime() + grant.claim().lease().toNanos();
        if (request.token == 0) {
            request.token = grant.token();
            request.outcome = Outcome.HELD;
            granted.add(request);
        }
    }

    synchronized void renewed(Grant grant, Renewal answer) {
        Request request = all.get(grant.claim().holder());
        if (request == null || request.outcome != Outcome.HELD) {
            return;
        }
        if (answer instanceof Renewal.Lost) {
            request.outcome = Outcome.LOST;
        } else if (answer instanceof Renewal.Renewed) {
            request.share = grant.claim().share();
            request.endsAt = clock.nanoTime() + grant.claim().lease().toNanos();
        }
    }

    /** Notes that the program gives the lock back, or stops waiting, whatever the service answers. */
    synchronized void released(Claim claim) {
        Request request = all.get(claim.holder());
        if (request == null) {
            return;
        }
        request.withdrawn = true;
        if (request.isHeld(clock.nanoTime())) {
            request.outcome = Outcome.RELEASED;
        } else if (request.outcome == Outcome.WAITING) {
            request.outcome = Outcome.BUSY;
        }
    }

    synchronized void lost(Request request) {
        request.outcome = Outcome.LOST;
    }

    /** Notes a loss that the client itself has found; it releases such a lock on the server. */
    private void lost(LockEvent.Lost event) {
        granted.stream()
                .filter(request -> request.claim.name().value().equals(event.lock())
                        && request.token == event.fencingToken() / Request.TOKENS_PER_GRANT)
                .forEach(this::lost);
    }

    /** Notes calls that wait, of which the service may know nothing: for another call of the same client. */
    synchronized void noted(LockEvent event) {
        if (event instanceof LockEvent.Waiting begun) {
            waits.merge(begun.lock(), 1, Integer::sum);
        } else if (event instanceof LockEvent.WaitEnded over) {
            waits.computeIfPresent(over.lock(), (lock, calls) -> calls == 1 ? null : calls - 1);
        } else if (event instanceof LockEvent.Lost lost) {
            lost(lost);
        }
    }

    /** Returns true if a call on another thread waits for a lock or an answer, or has waited. */
    synchronized boolean waitedFor(String name) {
        return waits.containsKey(name)
                || all.values().stream()
                        .anyMatch(request -> request.claim.name().value().equals(name) && request.isOfWaitingCall());
    }

    /** Returns the requests that hold a lock at present, in the order of their grants. */
    synchronized List<Request> held() {
        return matching(granted, request -> request.isHeld(clock.nanoTime()));
    }

    /** Returns the requests whose calls wait, or may wait after a failure. */
    synchronized List<Request> waiting() {
        return matching(
                List.copyOf(all.values()),
                request -> request.outcome == Outcome.WAITING
                        || (request.outcome == Outcome.FAILED && request.claim.queue() && !request.withdrawn));
    }

    private static List<Request> matching(List<Request> requests, Predicate<Request> wanted) {
        return requests.stream().filter(wanted).toList();
    }

    synchronized List<LockRecord> records() {
        return records(List.copyOf(all.values()));
    }

    synchronized List<LockRecord> grantedRecords() {
        return records(granted);
    }

    synchronized List<LockRecord> heldRecords() {
        return records(held());
    }

    private List<LockRecord> records(List<Request> requests) {
        long now = clock.nanoTime();
        return requests.stream().map(request -> request.record(now)).toList();
    }

    /** Forgets all requests that neither hold a lock nor wait for one. */
    synchronized void forget() {
        Predicate<Request> over = request -> request.outcome != Outcome.WAITING && !request.isHeld(clock.nanoTime());
        all.values().removeIf(over);
        granted.removeIf(over);
    }
}

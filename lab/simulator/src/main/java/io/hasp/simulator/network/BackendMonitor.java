package io.hasp.simulator.network;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Observes the requests of one client and the replies to them. */
public interface BackendMonitor {
    /** The client requests a lock. */
    void asks(Claim claim);

    /** The client receives the reply to a request that counts from the given time. */
    void answered(Claim claim, long sentAt, Attempt attempt);

    /** The client receives the same reply a second time. */
    void answeredAgain(Claim claim, Attempt attempt);

    /** A request of the client for a lock fails. */
    void notAnswered(Claim claim, BackendFailure why);

    /** The holder may be on the server by a request of which the client has no reply. */
    void mayBeOnServer(HolderId holder);

    /** The client releases a holder. */
    void releases(HolderId holder);

    /** The reply to a release. The release counts as unanswered until this is complete. */
    CompletableFuture<Released> releaseReply(LockName name);

    /** The client receives the result of a release. */
    void released(HolderId holder, LockName name, Released found);

    /** A release failed. */
    void notReleased(HolderId holder);

    /** The client sends renewals. */
    void renews(List<Grant> held);

    /** The client receives the replies to renewals. */
    void renewed(List<Grant> held, List<Renewal> renewals);

    /** For each holder: the number of times that the backend has gone away or come back for it. */
    List<Integer> interruptions(List<Grant> held);

    /** The time left of each lease whose renewal was requested before the backend went away or came back; without limit for the others. */
    List<Duration> outdated(List<Grant> held, List<Integer> interruptions);

    /** The client has received the replies to such renewals, which may come from a former server. */
    void confirmedNothing(List<Grant> held, List<Duration> before);

    /** Renewals of the client fail. */
    void notRenewed(List<Grant> held);

    /** The client is about to receive a signal. */
    void signalled(HolderId holder, LockName name, Signal signal);

    /** The client has received a signal, and must have taken it into account. */
    void heard(HolderId holder, Signal signal);
}

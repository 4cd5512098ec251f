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
    public void asks(Claim claim);

    /** The client receives the reply to a request that counts from the given time. */
    public void answered(Claim claim, long sentAt, Attempt attempt);

    /** The client receives the same reply a second time. */
    public void answeredAgain(Claim claim, Attempt attempt);

    /** A request of the client for a lock fails. */
    public void notAnswered(Claim claim, BackendFailure why);

    /** The holder may be on the server by a request of which the client has no reply. */
    public void mayBeOnServer(HolderId holder);

    /** The client releases a holder. */
    public void releases(HolderId holder);

    /** The reply to a release. The release counts as unanswered until this is complete. */
    public CompletableFuture<Released> releaseReply(LockName name);

    /** The client receives the result of a release. */
    public void released(HolderId holder, LockName name, Released found);

    /** A release failed. */
    public void notReleased(HolderId holder);

    /** The client sends renewals. */
    public void renews(List<Grant> held);

    /** The client receives the replies to renewals. */
    public void renewed(List<Grant> held, List<Renewal> renewals);

    public List<Integer> interruptions(List<Grant> held);

    /** The time left of each lease whose renewal was requested before the backend went away or came back; without limit for the others. */
    public List<Duration> outdated(List<Grant> held, List<Integer> interruptions);

    /** The client has received the replies to such renewals, which may come from a former server. */
    public void confirmedNothing(List<Grant> held, List<Duration> before);

    /** Renewals of the client fail. */
    public void notRenewed(List<Grant> held);

    /** The client is about to receive a signal. */
    public void signalled(HolderId holder, LockName name, Signal signal);

    /** The client has received a signal, and must have taken it into account. */
    public void heard(HolderId holder, Signal signal);
}

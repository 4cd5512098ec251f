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

    /** The client hears the reply to a request that counts from the given time. */
    public void answered(Claim claim, long sentAt, Attempt attempt);

    /** The client receives the same reply a second time. */
    public void answeredAgain(Claim claim, Attempt attempt);

    /** The client hears that a request for a lock failed. */
    public void notAnswered(Claim claim, BackendFailure why);

    /** The holder may be on the server by a request of which the client has no reply. */
    public void mayBeOnServer(HolderId holder);

    /** The client releases a holder. */
    public void releases(HolderId holder);

    /** The reply to a release. The release counts as unanswered until this is complete. */
    public CompletableFuture<Released> releaseReply(LockName name);

    /** The client hears what a release found. */
    public void released(HolderId holder, LockName name, Released found);

    /** A release failed. */
    public void notReleased(HolderId holder);

    /** The client sends renewals. */
    public void renews(List<Grant> held);

    /** The client hears the replies to renewals. */
    public void renewed(List<Grant> held, List<Renewal> renewals);

    public List<Integer> interruptions(List<Grant> held);

    /** What is left of the leases whose renewals were asked for before the backend went away or was there again; for ever for others. */
    public List<Duration> outdated(List<Grant> held, List<Integer> interruptions);

    /** The client has heard the replies to such renewals, which may be those of a former server. */
    public void confirmedNothing(List<Grant> held, List<Duration> before);

    /** The client hears that its renewals failed. */
    public void notRenewed(List<Grant> held);

    /** The client is about to hear a signal. */
    public void signalled(HolderId holder, LockName name, Signal signal);

    /** The client has heard a signal, and must have taken it into account. */
    public void heard(HolderId holder, Signal signal);
}

package io.hasp.engine.machine;

/**
 * The steps of the machine: the event, the state that it meets, and the reaction. {@code TransitionsTest} writes them into the table of
 * docs/internals/engine.md. A {@link LockMachine} names each step that it takes, so that tests and the simulator can count them.
 */
public enum Transition {
    JOINED_CLOSING(Section.CALLER, "Joined", "the client closes", "fails: closed"),

    JOINED_FIRST(
            Section.CALLER,
            "Joined",
            "it waits, is the first, and this client has no exclusive lease; of a shared lock, it is among the first"
                    + " 16, and no contender rests that wants as many permits",
            "asks the server"),

    JOINED_BEHIND(
            Section.CALLER,
            "Joined",
            "it waits, and others or an exclusive lease of this client are before it",
            "queues"),

    TRIED_HELD_HERE(Section.CALLER, "Joined", "no wait, and this client has a lease that is HELD", "ends: contended"),

    TRIED(Section.CALLER, "Joined", "no wait otherwise", "asks the server, past those that wait"),

    SLEPT(Section.CALLER, "Slept", "any", "the end of its wait gets a timer"),

    REUSED(
            Section.CALLER,
            "Joined, TimePassed",
            "a grant is kept, and its next lease may begin",
            "its lease begins, with the next token"),

    RESTAMPED(
            Section.CALLER,
            "Joined, TimePassed",
            "a grant is kept, and no lease may begin on it",
            "gives it back and asks, in one flight if it never asked before"),

    GAVE_UP(
            Section.CALLER,
            "GaveUp",
            "any; without effect if it has its outcome",
            "ends: abandoned; what may be on the server is withdrawn, and the next one asks"),

    DROPPED(Section.CALLER, "Dropped", "its caller left before the request was made", "notes that nothing was sent"),

    ANSWERED_LATE(Section.ANSWER, "Answered", "it has its outcome, and nothing is left on the server", "nothing"),

    ANSWERED_AGAIN(Section.ANSWER, "Answered", "it was answered before, and its stage completes again", "nothing"),

    ANSWERED_LATE_LEFT(
            Section.ANSWER,
            "Answered",
            "it has its outcome, and a grant, a place or an unknown outcome is left",
            "withdraws again: the first withdrawal may have overtaken the request; others learn from the answer"),

    GRANTED(
            Section.ANSWER,
            "Answered",
            "granted",
            "acquired: its lease begins; earlier leases that leave it no room are LOST"),

    GRANTED_CLOSING(Section.ANSWER, "Answered", "granted, and the client closes", "gives it back; fails: closed"),

    GRANTED_LATE(
            Section.ANSWER,
            "Answered",
            "granted, and the validity has passed",
            "withdraws the grant; goes on as after a failure, under a new holder id"),

    GRANTED_BAD_TOKEN(Section.ANSWER, "Answered", "granted with a token out of range", "withdraws the grant; fails"),

    GRANTED_LOST(
            Section.ANSWER,
            "Answered",
            "granted, and LOST was signalled since it asked, or a later grant leaves no room for it",
            "withdraws the grant; asks under a new holder id"),

    BUSY(Section.ANSWER, "Answered", "refused, and there is time to wait", "rests until the poll or a signal"),

    BUSY_SIGNALLED(
            Section.ANSWER, "Answered", "refused, and MAYBE_FREE was signalled since it asked", "asks again at once"),

    BUSY_RECALLED(
            Section.ANSWER,
            "Answered",
            "refused, there was no wait, and the holder may only keep the lock",
            "tries again after 1, 2, 4 … ms, for 40 ms in all"),

    REFUSED(Section.ANSWER, "Answered", "refused, and the wait is over or there was none", "ends: contended"),

    BUSY_WITH_OWN(
            Section.ANSWER,
            "Answered",
            "refused, and the wait is over or there was none; but when it asked, the server may have had what this"
                    + " client had given up",
            "rests until the server has answered that; pending releases and lowerings are sent now"),

    SETTLED(
            Section.ANSWER,
            "any",
            "what this client had given up is gone, and a contender was refused for it whose wait is over or that had"
                    + " none",
            "asks again"),

    SETTLED_NOT(
            Section.ANSWER,
            "PendingReleaseAnswered, Renewed",
            "no answer, and the wait is over of a contender that waits only for that",
            "fails"),

    GONE(Section.ANSWER, "Answered", "the holder id can't be granted any more", "asks at once under a new one"),

    GONE_AGAIN(Section.ANSWER, "Answered", "the same for the fourth time in a row", "rests, then asks under a new one"),

    GONE_FOR_GOOD(Section.ANSWER, "Answered", "the same, and the wait is over", "fails"),

    FAILED(Section.ANSWER, "Answered", "failed, and may pass", "rests, longer each time"),

    FAILED_TOO_LONG(
            Section.ANSWER,
            "Answered",
            "failed, and the wait is over, or failures have lasted for `unavailableAfter`",
            "fails"),

    FAILED_OTHERS(
            Section.ANSWER,
            "Answered",
            "failed; for each other waiting contender whose failures have lasted for `unavailableAfter`",
            "that contender fails as well"),

    FAILED_FOR_GOOD(Section.ANSWER, "Answered", "failed: denied, incompatible or of another kind", "fails"),

    SIGNALLED_RESTING(Section.SIGNAL, "Signalled", "its contender rests", "asks"),

    SIGNALLED_ASKING(
            Section.SIGNAL, "Signalled", "its contender asks, or the signal is SUSPECT", "is noted for the answer"),

    SIGNAL_IGNORED(
            Section.SIGNAL,
            "Signalled",
            "no contender or lease has the holder id, or the signal is no news for the lease",
            "nothing"),

    LEASE_DOUBTED(
            Section.SIGNAL,
            "Signalled",
            "SUSPECT, for the holder of a lease",
            "the lease is SUSPECT, and is not handed off"),

    LEASE_DENIED(Section.SIGNAL, "Signalled", "LOST, for the holder of a lease", "the lease is LOST"),

    LEASE_RESTORED(
            Section.SIGNAL,
            "Signalled",
            "RESTORED, for the holder of a lease",
            "the lease is SUSPECT, and is renewed now; once more if that was under way"),

    RECALLED_IN_USE(
            Section.SIGNAL,
            "Signalled",
            "WANTED, for the holder of a lease, for the first time",
            "its grant will not be kept; a renewal informs the server now"),

    RECALLED_IDLE(Section.SIGNAL, "Signalled", "WANTED, for a grant that is kept", "gives it back"),

    RECALLED_LATE(
            Section.SIGNAL,
            "Signalled",
            "WANTED, for a holder id without a contender or a lease",
            "releases it once: it may be a late grant"),

    KEPT_DOUBTED(Section.SIGNAL, "Signalled", "SUSPECT, RESTORED or LOST, for a grant that is kept", "gives it back"),

    POLLED(Section.TIME, "TimePassed", "a contender has rested for long enough", "asks"),

    LOOKED(
            Section.TIME,
            "TimePassed",
            "a wait is about to end",
            "the first one asks once more, unless this client has a lease; of a shared lock, it asks itself"),

    OVERDUE(
            Section.TIME,
            "TimePassed",
            "a wait is over, and nothing is known that decides it",
            "waits for the next answer; of a shared lock, asks if it was never answered"),

    OVER_CONTENDED(
            Section.TIME,
            "TimePassed, Answered, ReleaseAnswered",
            "a wait is over, and the latest answer was a refusal, or a lease of this client is HELD",
            "ends: contended"),

    OVER_FAILED(
            Section.TIME,
            "TimePassed, Answered, ReleaseAnswered",
            "a wait is over, and the latest answer was a failure, or a lease of this client is SUSPECT",
            "fails"),

    RENEWAL_DUE(Section.TIME, "TimePassed", "a renewal is due, or nearly", "renews"),

    KEPT_LONG_ENOUGH(
            Section.TIME,
            "TimePassed, Unwatched",
            "a grant was kept for long enough, or its client wants the name as another kind",
            "gives it back"),

    PENDING_AGAIN(Section.TIME, "TimePassed", "the pause after a failure is over", "releases again"),

    HANDED_OFF(
            Section.RELEASE,
            "GivenBack",
            "a contender waits, and the grant may stay here",
            "its lease begins on the same grant, with the next token"),

    TRANSFERRED(
            Section.RELEASE,
            "GivenBack",
            "a contender waits that never asked, and the grant may not stay here",
            "gives back and asks in one flight"),

    KEPT(
            Section.RELEASE,
            "GivenBack",
            "no contender waits, and the grant may be kept",
            "keeps it until another client wants it, or its time is over"),

    RETAINED(
            Section.RELEASE,
            "GivenBack",
            "the lock has to stay taken for a while",
            "leaves it taken on the server for so long, and forgets it"),

    RELEASED(Section.RELEASE, "GivenBack", "otherwise", "releases on the server"),

    RELEASED_TWICE(Section.RELEASE, "GivenBack", "it was released before", "reports ALREADY_RELEASED"),

    RELEASED_LOST(Section.RELEASE, "GivenBack", "it was lost", "reports LOST"),

    RELEASE_CONFIRMED(
            Section.RELEASE,
            "ReleaseAnswered",
            "it was held",
            "reports RELEASED; waits that are over end: contended; the first one asks"),

    RELEASE_FOUND_LOST(
            Section.RELEASE,
            "ReleaseAnswered",
            "it was not held any more",
            "reports LOST, also to the listener; the first one asks"),

    RELEASE_FAILED(
            Section.RELEASE,
            "ReleaseAnswered",
            "no answer",
            "fails, and so do waits that are over; the release stays pending; the first one asks"),

    RETAINING_FAILED(
            Section.RELEASE,
            "ReleaseAnswered",
            "no answer, and the lock was to stay taken",
            "fails, and so do waits that are over; no release stays pending, since the lock ends with its lease; the"
                    + " first one asks"),

    LEASE_SUSPECT(
            Section.LEASE,
            "any",
            "a third of the validity is left, or it can't be confirmed",
            "notifies the observers: SUSPECT"),

    LEASE_CONFIRMED(Section.LEASE, "Renewed", "it was SUSPECT", "notifies the observers: HELD"),

    LEASE_LOST(
            Section.LEASE,
            "any",
            "the deadline has passed, or the server denies it",
            "notifies the observers: LOST; withdraws; the first one asks"),

    LEASE_OVER_NOTIFYING(
            Section.LEASE,
            "any",
            "the end of a fixed lease or of max hold, and there are observers, or work to interrupt",
            "notifies the observers: LOST, and interrupts the work; waits for observers up to 20 ms, and for work to"
                    + " stop as long as the clock margin"),

    LEASE_OVER_NOTIFIED(
            Section.LEASE,
            "Notified, TimePassed, GivenBack",
            "observers were notified, or that time has passed; the holder gave the lease back after the interrupt",
            "withdraws; the first one asks"),

    RENEWED(Section.LEASE, "Renewed", "confirmed", "the deadline moves on"),

    RENEWAL_DENIED(Section.LEASE, "Renewed", "the server says that it is gone", "the lease is LOST"),

    RENEWAL_FAILED(
            Section.LEASE,
            "Renewed",
            "no answer",
            "the lease is SUSPECT; renews again after a twelfth of the validity"),

    LOWERED(
            Section.LEASE,
            "Lowering",
            "it is held",
            "ends as released; a smaller lease begins on the same grant with the same deadline, and is renewed at"
                    + " once"),

    LOWERED_OVER(Section.LEASE, "Lowering", "it is over", "reports that"),

    EXTENDING(Section.LEASE, "Extending", "any", "notes the longest lease that the server may have been asked for"),

    EXTENDED(
            Section.LEASE,
            "Extended",
            "any",
            "the end of a fixed lease moves on, unless the backend was away in between"),

    FLOOR_RAISED(
            Section.END,
            "FloorRaised",
            "any",
            "a grant whose tokens are not above it is neither handed off nor kept, and a place from before passes to"
                    + " no other contender"),

    PENDING_ANSWERED(Section.END, "PendingReleaseAnswered", "answered", "forgets it"),

    PENDING_ONCE(Section.END, "PendingReleaseAnswered", "it was not to be repeated", "nothing"),

    PENDING_FAILED(Section.END, "PendingReleaseAnswered", "no answer", "tries again later"),

    PENDING_GIVEN_UP(
            Section.END,
            "PendingReleaseAnswered",
            "no answer, and what was asked for has ended by itself, or the client is closed",
            "reports it and forgets it"),

    CLIENT_FAILED(
            Section.END,
            "ClientFailed",
            "any",
            "leases are LOST, and their observers are notified; nothing is released. No other event follows"),

    CLOSING(Section.END, "Closing", "any", "waiters fail: closed; kept grants are released; leases in use stay"),

    LEAVING(
            Section.END,
            "Leaving",
            "any",
            "where locks end with a lease, leases in use are SUSPECT and renewed no more; a loss of them releases"
                    + " nothing"),

    GIVING_EVERYTHING_BACK(
            Section.END, "GivingEverythingBack", "any", "as when it closes; each lease is given back as well"),

    CLOSED(Section.END, "Closed", "any", "pending releases are not retried");

    /** A part of the table. */
    public enum Section {
        CALLER("A caller requests the lock"),
        ANSWER("The server answers"),
        SIGNAL("The backend signals"),
        TIME("Time passes"),
        RELEASE("A lease is given back"),
        LEASE("A lease is renewed, extended, or over"),
        END("Pending releases, and the end");

        private final String title;

        Section(String title) {
            this.title = title;
        }

        /** The heading of this part. */
        public String title() {
            return title;
        }
    }

    private final Section section;
    private final String event;
    private final String when;
    private final String effect;

    Transition(Section section, String event, String when, String effect) {
        this.section = section;
        this.event = event;
        this.when = when;
        this.effect = effect;
    }

    /** The part of the table. */
    public Section section() {
        return section;
    }

    /** The names of the events that lead to this step, or "any". */
    public String event() {
        return event;
    }

    /** The state that the event meets. */
    public String when() {
        return when;
    }

    /** The machine's reaction. */
    public String effect() {
        return effect;
    }
}

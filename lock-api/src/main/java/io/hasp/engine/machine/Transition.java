package io.hasp.engine.machine;

/**
 * The rows of the table in docs/engine.md: what may happen, when, and what the machine does then. A {@link LockMachine} says
 * which of them it takes, so that tests can tell that each is reached, and that the table is complete.
 */
public enum Transition {
    /** Joined: the client closes. */
    JOINED_CLOSING("Joined", "the client closes", "fails: closed"),

    /**
     * Joined: it waits, is the first, and this client has no exclusive lease; of a shared lock, it is among the first 16, and nobody
     * rests who wants as many permits.
     */
    JOINED_FIRST(
            "Joined",
            "it waits, is the first, and this client has no exclusive lease; of a shared lock, it is among the first 16, and"
                    + " nobody rests who wants as many permits",
            "asks the server"),

    /** Joined: it waits, and others or an exclusive lease of this client are before it. */
    JOINED_BEHIND("Joined", "it waits, and others or an exclusive lease of this client are before it", "queues"),

    /** Joined: no wait, and this client has a lease that is HELD. */
    TRIED_HELD_HERE("Joined", "no wait, and this client has a lease that is HELD", "ends: contended"),

    /** Joined: no wait otherwise. */
    TRIED("Joined", "no wait otherwise", "asks the server, past those who wait"),

    /** Slept: any. */
    SLEPT("Slept", "any", "the end of its wait gets a timer"),

    /** Joined, TimePassed: a grant is kept, and its next lease may begin. */
    REUSED(
            "Joined, TimePassed",
            "a grant is kept, and its next lease may begin",
            "its lease begins, with the next token"),

    /** Joined, TimePassed: a grant is kept, and no lease may begin on it. */
    RESTAMPED(
            "Joined, TimePassed",
            "a grant is kept, and no lease may begin on it",
            "gives it back and asks, in one flight if it never asked before"),

    /** GaveUp: any; without effect if it has its outcome. */
    GAVE_UP(
            "GaveUp",
            "any; without effect if it has its outcome",
            "ends: abandoned; what may be on the server is withdrawn, and the next one asks"),

    /** Dropped: its caller left before the request was made. */
    DROPPED("Dropped", "its caller left before the request was made", "notes that nothing was sent"),

    /** Answered: it has its outcome, and nothing is left on the server. */
    ANSWERED_LATE("Answered", "it has its outcome, and nothing is left on the server", "nothing"),

    /** Answered: it was answered before, and its stage completes again. */
    ANSWERED_AGAIN("Answered", "it was answered before, and its stage completes again", "nothing"),

    /** Answered: it has its outcome, and a grant, a place or an unknown outcome is left. */
    ANSWERED_LATE_LEFT(
            "Answered",
            "it has its outcome, and a grant, a place or an unknown outcome is left",
            "withdraws again: the first withdrawal may have overtaken the request; others learn from the answer"),

    /** Answered: granted. */
    GRANTED("Answered", "granted", "has a lease: acquired; earlier ones that it leaves no room for are LOST"),

    /** Answered: granted, and the client closes. */
    GRANTED_CLOSING("Answered", "granted, and the client closes", "gives it back; fails: closed"),

    /** Answered: granted, and the validity has passed. */
    GRANTED_LATE(
            "Answered",
            "granted, and the validity has passed",
            "withdraws the grant; goes on as after a failure, under a new holder id"),

    /** Answered: granted with a token out of range. */
    GRANTED_BAD_TOKEN("Answered", "granted with a token out of range", "withdraws the grant; fails"),

    /** Answered: granted, and LOST was signalled since it asked, or a later grant leaves no room for it. */
    GRANTED_LOST(
            "Answered",
            "granted, and LOST was signalled since it asked, or a later grant leaves no room for it",
            "withdraws the grant; asks under a new holder id"),

    /** Answered: refused, and there is time to wait. */
    BUSY("Answered", "refused, and there is time to wait", "rests until the poll or a signal"),

    /** Answered: refused, and MAYBE_FREE was signalled since it asked. */
    BUSY_SIGNALLED("Answered", "refused, and MAYBE_FREE was signalled since it asked", "asks again at once"),

    /** Answered: refused, there was no wait, and the holder may only keep the lock. */
    BUSY_RECALLED(
            "Answered",
            "refused, there was no wait, and the holder may only keep the lock",
            "tries again after 1, 2, 4 … ms, for 40 ms in all"),

    /** Answered: refused, and the wait is over or there was none. */
    REFUSED("Answered", "refused, and the wait is over or there was none", "ends: contended"),

    /** Answered: refused, and the wait is over or there was none; but when it asked, this client had not given back all. */
    BUSY_WITH_OWN(
            "Answered",
            "refused, and the wait is over or there was none; but when it asked, the server may have had what this client had given up",
            "rests until the server has heard of that; what is owed is released now"),

    /** Any: what this client had given up is gone, and a contender was refused for it whose wait is over or that had none. */
    SETTLED(
            "any",
            "what this client had given up is gone, and a contender was refused for it whose wait is over or that had none",
            "asks again"),

    /** OwedAnswered, Renewed: no answer, and a contender waits only for that. */
    SETTLED_NOT(
            "OwedAnswered, Renewed",
            "no answer, and the wait is over of a contender that waits only for that",
            "fails"),

    /** Answered: the holder id can't be granted any more. */
    GONE("Answered", "the holder id can't be granted any more", "asks at once under a new one"),

    /** Answered: the same for the fourth time in a row. */
    GONE_AGAIN("Answered", "the same for the fourth time in a row", "rests, then asks under a new one"),

    /** Answered: the same, and the wait is over. */
    GONE_FOR_GOOD("Answered", "the same, and the wait is over", "fails"),

    /** Answered: failed, and may pass. */
    FAILED("Answered", "failed, and may pass", "rests, longer each time"),

    /** Answered: failed, and the wait is over, or failures have lasted for {@code unavailableAfter}. */
    FAILED_TOO_LONG(
            "Answered", "failed, and the wait is over, or failures have lasted for `unavailableAfter`", "fails"),

    /** Answered: failed; for each other one that waits, and to whom failures have lasted for {@code unavailableAfter}. */
    FAILED_OTHERS(
            "Answered",
            "failed; for each other one that waits, and to whom failures have lasted for `unavailableAfter`",
            "that one fails as well"),

    /** Answered: failed: denied, incompatible or of another kind. */
    FAILED_FOR_GOOD("Answered", "failed: denied, incompatible or of another kind", "fails"),

    /** Signalled: its contender rests. */
    SIGNALLED_RESTING("Signalled", "its contender rests", "asks"),

    /** Signalled: its contender asks, or the signal is SUSPECT. */
    SIGNALLED_ASKING("Signalled", "its contender asks, or the signal is SUSPECT", "is noted for the answer"),

    /** Signalled: the holder id is nobody's, or the signal tells a lease nothing new. */
    SIGNALLED_NOBODY("Signalled", "the holder id is nobody's, or the signal tells a lease nothing new", "nothing"),

    /** TimePassed: a contender has rested for long enough. */
    POLLED("TimePassed", "a contender has rested for long enough", "asks"),

    /** TimePassed: a wait is about to end. */
    LOOKED(
            "TimePassed",
            "a wait is about to end",
            "the first one asks once more, unless this client has a lease; of a shared lock, it asks itself"),

    /** TimePassed: a wait is over, and nothing is known that decides it. */
    OVERDUE(
            "TimePassed",
            "a wait is over, and nothing is known that decides it",
            "waits for the next answer; of a shared lock, asks if it was never answered"),

    /** TimePassed, Answered, ReleaseAnswered: a wait is over, and the latest answer was a refusal, or a lease of this client is HELD. */
    OVER_CONTENDED(
            "TimePassed, Answered, ReleaseAnswered",
            "a wait is over, and the latest answer was a refusal, or a lease of this client is HELD",
            "ends: contended"),

    /** TimePassed, Answered, ReleaseAnswered: a wait is over, and the latest answer was a failure, or a lease of this client is SUSPECT. */
    OVER_FAILED(
            "TimePassed, Answered, ReleaseAnswered",
            "a wait is over, and the latest answer was a failure, or a lease of this client is SUSPECT",
            "fails"),

    /** GivenBack: somebody waits, and the grant may stay here. */
    HANDED_OFF(
            "GivenBack",
            "somebody waits, and the grant may stay here",
            "its lease begins on the same grant, with the next token"),

    /** GivenBack: somebody waits who never asked, and the grant may not stay here. */
    TRANSFERRED(
            "GivenBack",
            "somebody waits who never asked, and the grant may not stay here",
            "gives back and asks in one flight"),

    /** GivenBack: nobody waits, and the grant may be kept. */
    KEPT(
            "GivenBack",
            "nobody waits, and the grant may be kept",
            "keeps it until somebody wants it, or its time is over"),

    /** GivenBack: the lock has to stay taken for a while. */
    RETAINED(
            "GivenBack",
            "the lock has to stay taken for a while",
            "leaves it taken on the server for so long, and forgets it"),

    /** GivenBack: otherwise. */
    RELEASED("GivenBack", "otherwise", "releases on the server"),

    /** GivenBack: it was released before. */
    RELEASED_TWICE("GivenBack", "it was released before", "says so"),

    /** GivenBack: it was lost. */
    RELEASED_LOST("GivenBack", "it was lost", "says so"),

    /** ReleaseAnswered: it was held. */
    RELEASE_CONFIRMED(
            "ReleaseAnswered", "it was held", "says RELEASED; waits that are over end: contended; the first one asks"),

    /** ReleaseAnswered: it was not held any more. */
    RELEASE_FOUND_LOST(
            "ReleaseAnswered", "it was not held any more", "says LOST, also to the listener; the first one asks"),

    /** ReleaseAnswered: no answer. */
    RELEASE_FAILED(
            "ReleaseAnswered",
            "no answer",
            "fails, and so do waits that are over; the release is owed; the first one asks"),

    /** ReleaseAnswered: no answer, and the lock was to stay taken. */
    RETAINING_FAILED(
            "ReleaseAnswered",
            "no answer, and the lock was to stay taken",
            "fails, and so do waits that are over; nothing is owed, since the lock ends with its lease; the first one asks"),

    /** Signalled: SUSPECT, for the holder of a lease. */
    LEASE_DOUBTED("Signalled", "SUSPECT, for the holder of a lease", "the lease is SUSPECT, and is not handed off"),

    /** Signalled: LOST, for the holder of a lease. */
    LEASE_DENIED("Signalled", "LOST, for the holder of a lease", "the lease is LOST"),

    /** Signalled: RESTORED, for the holder of a lease. */
    LEASE_RESTORED(
            "Signalled",
            "RESTORED, for the holder of a lease",
            "the lease is SUSPECT, and is renewed now; once more if that was under way"),

    /** Signalled: WANTED, for the holder of a lease, for the first time. */
    RECALLED_IN_USE(
            "Signalled",
            "WANTED, for the holder of a lease, for the first time",
            "its grant is not kept; says so to the server by a renewal now"),

    /** Signalled: WANTED, for a grant that is kept. */
    RECALLED_IDLE("Signalled", "WANTED, for a grant that is kept", "gives it back"),

    /** Signalled: WANTED, for a holder id that is nobody's. */
    RECALLED_LATE("Signalled", "WANTED, for a holder id that is nobody's", "releases it once: it may be a late grant"),

    /** Signalled: SUSPECT, RESTORED or LOST, for a grant that is kept. */
    KEPT_DOUBTED("Signalled", "SUSPECT, RESTORED or LOST, for a grant that is kept", "gives it back"),

    /** any: a third of the validity is left, or it can't be confirmed. */
    LEASE_SUSPECT("any", "a third of the validity is left, or it can't be confirmed", "tells the observers: SUSPECT"),

    /** Renewed: it was SUSPECT. */
    LEASE_CONFIRMED("Renewed", "it was SUSPECT", "tells the observers: HELD"),

    /** any: the deadline has passed, or the server denies it. */
    LEASE_LOST(
            "any",
            "the deadline has passed, or the server denies it",
            "tells the observers: LOST; withdraws; the first one asks"),

    /** any: the end of a fixed lease or of max hold, and there are observers, or work to interrupt. */
    LEASE_OVER_TELLING(
            "any",
            "the end of a fixed lease or of max hold, and there are observers, or work to interrupt",
            "notifies the observers: LOST, and interrupts the work; waits for observers up to 20 ms, and for work to stop"
                    + " as long as the clock margin"),

    /** Told, TimePassed, GivenBack: observers were notified, or that time has passed; or the holder is done. */
    LEASE_OVER_TOLD(
            "Told, TimePassed, GivenBack",
            "observers were notified, or that time has passed; the holder gave the lease back after the interrupt",
            "withdraws; the first one asks"),

    /** TimePassed: a renewal is due, or nearly. */
    RENEWAL_DUE("TimePassed", "a renewal is due, or nearly", "renews"),

    /** Renewed: confirmed. */
    RENEWED("Renewed", "confirmed", "the deadline moves on"),

    /** Renewed: the server says that it is gone. */
    RENEWAL_DENIED("Renewed", "the server says that it is gone", "the lease is LOST"),

    /** Renewed: no answer. */
    RENEWAL_FAILED("Renewed", "no answer", "the lease is SUSPECT; renews again after a twelfth of the validity"),

    /** Lowering: it is held. */
    LOWERED(
            "Lowering",
            "it is held",
            "ends as released; a smaller lease begins on the same grant with the same deadline, and is renewed at once"),

    /** Lowering: it is over. */
    LOWERED_OVER("Lowering", "it is over", "says so"),

    /** Extending: any. */
    EXTENDING("Extending", "any", "notes the longest lease that the server may have been asked for"),

    /** Extended: any. */
    EXTENDED("Extended", "any", "the end of a fixed lease moves on, unless the backend was away meanwhile"),

    /** FloorRaised: any. */
    FLOOR_RAISED(
            "FloorRaised",
            "any",
            "a grant whose tokens are not above it is not handed off, nor kept, and a place from before moves to nobody"),

    /** TimePassed, Unwatched: a grant was kept for long enough, or its client wants the name as another kind. */
    KEPT_LONG_ENOUGH(
            "TimePassed, Unwatched",
            "a grant was kept for long enough, or its client wants the name as another kind",
            "gives it back"),

    /** OwedAnswered: answered. */
    OWED_PAID("OwedAnswered", "answered", "forgets it"),

    /** OwedAnswered: it was not to be repeated. */
    OWED_ONCE("OwedAnswered", "it was not to be repeated", "nothing"),

    /** OwedAnswered: no answer. */
    OWED_FAILED("OwedAnswered", "no answer", "tries again later"),

    /** TimePassed: the pause after a failure is over. */
    OWED_AGAIN("TimePassed", "the pause after a failure is over", "releases again"),

    /** OwedAnswered: no answer, and what was asked for has ended by itself, or the client is closed. */
    OWED_GIVEN_UP(
            "OwedAnswered",
            "no answer, and what was asked for has ended by itself, or the client is closed",
            "reports it and forgets it"),

    /** ClientFailed: any. */
    CLIENT_FAILED(
            "ClientFailed",
            "any",
            "leases are LOST, and their observers are notified; nothing is released. No other event follows"),

    /** Closing: any. */
    CLOSING("Closing", "any", "waiters fail: closed; kept grants are released; leases in use stay"),

    /** Leaving: any. */
    LEAVING(
            "Leaving",
            "any",
            "where locks end with a lease, leases in use are SUSPECT and renewed no more; a loss of them releases nothing"),

    /** GivingEverythingBack: any. */
    GIVING_EVERYTHING_BACK("GivingEverythingBack", "any", "as when it closes; each lease is given back as well"),

    /** Closed: any. */
    CLOSED("Closed", "any", "what is owed is not tried again");

    private final String event;
    private final String when;
    private final String effect;

    Transition(String event, String when, String effect) {
        this.event = event;
        this.when = when;
        this.effect = effect;
    }

    /** What happens: the name of an event. */
    public String event() {
        return event;
    }

    /** In which state. */
    public String when() {
        return when;
    }

    /** What the machine does. */
    public String effect() {
        return effect;
    }
}

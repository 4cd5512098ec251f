package io.hasp.zookeeper.session;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Translates ZooKeeper's codes into the failures of the backend contract. */
public final class ZooKeeperFailures {
    private ZooKeeperFailures() {}

    public static BackendFailure of(Code code, String action) {
        return new BackendFailure(kind(code), outcome(code), message(code, action), KeeperException.create(code));
    }

    private static Kind kind(Code code) {
        return switch (code) {
            case NOAUTH, AUTHFAILED, INVALIDACL, SESSIONCLOSEDREQUIRESASLAUTH -> Kind.DENIED;
            case NOCHILDRENFOREPHEMERALS,
                    BADARGUMENTS,
                    UNIMPLEMENTED,
                    MARSHALLINGERROR,
                    QUOTAEXCEEDED,
                    EPHEMERALONLOCALSESSION -> Kind.INCOMPATIBLE;
            default -> Kind.UNAVAILABLE;
        };
    }

    /** The outcome of a request that was answered with this code: applied or not, or unknown. */
    public static Outcome outcome(Code code) {
        return switch (code) {
            case CONNECTIONLOSS, OPERATIONTIMEOUT, SESSIONEXPIRED, SYSTEMERROR, RUNTIMEINCONSISTENCY, REQUESTTIMEOUT ->
                Outcome.UNKNOWN;
            default -> Outcome.NOT_APPLIED;
        };
    }

    private static String message(Code code, String action) {
        String why = switch (code) {
            case CONNECTIONLOSS -> "the connection to ZooKeeper broke before the answer";
            case OPERATIONTIMEOUT, REQUESTTIMEOUT -> "ZooKeeper did not answer in time";
            case SESSIONEXPIRED -> "the ZooKeeper session ended";
            case NOAUTH -> "ZooKeeper denies it: no permission on the node";
            case AUTHFAILED -> "ZooKeeper rejects the credentials";
            case NOTREADONLY -> "the ZooKeeper server is read-only: it has lost its quorum";
            case NOCHILDRENFOREPHEMERALS -> "a foreign ephemeral node, which can't have children, is in the way";
            case EPHEMERALONLOCALSESSION ->
                "the servers give local sessions, which have no ephemeral nodes; set localSessionsUpgradingEnabled=true on them";
            case QUOTAEXCEEDED -> "a ZooKeeper quota is used up";
            default -> "ZooKeeper answered " + code;
        };
        return "could not " + action + ": " + why;
    }

    /** The client could not use the node that it would create. Nothing was created. */
    public static BackendFailure shutOut(String path) {
        return new BackendFailure(
                Kind.DENIED,
                Outcome.NOT_APPLIED,
                "could not make the node " + path + ": its own ACL would shut this client out, which needs the"
                        + " permissions to create, delete and read",
                null);
    }

    /** The name is in use as a lock of another kind. The node of the attempt is removed before the caller gets this failure. */
    public static BackendFailure otherKind(LockName name, int capacity, Share asked) {
        return new BackendFailure(
                Kind.OTHER_KIND,
                Outcome.NOT_APPLIED,
                "'" + name + "' is in use as " + Share.kindOf(capacity) + ", and was asked for as " + asked.kind(),
                null);
    }

    /** The session has no room for another node. Nothing was sent. */
    public static BackendFailure sessionFull(LockName name, long bytes) {
        return incompatible("could not lock '" + name + "': the nodes of this ZooKeeper session have paths of " + bytes
                + " bytes, and at most " + SessionPaths.LIMIT
                + " are allowed, because servers break when a session with far more"
                + " ends. Use shorter names, fewer locks at a time, or several clients; a client that is connected by a URI opens"
                + " further sessions by itself");
    }

    /** The list of a folder's children would break the connection of the client. */
    static BackendFailure tooManyChildren(String folder, int children, int limit) {
        return incompatible("could not list " + folder + ": it has " + children
                + " children, and their list may exceed the " + limit
                + " bytes that this ZooKeeper client accepts, which would break its connection. Remove foreign children, or raise"
                + " jute.maxbuffer for the client");
    }

    /** The client of a node has not said in time that it does not keep the lock. */
    public static BackendFailure keptSilently(String action, String node, String label) {
        return unknown("could not " + action + ": the client of the node " + node + " (" + label
                + ") may keep the lock, and has not given it back in time");
    }

    /** True if the failure says that the name is used as another kind of lock. */
    public static boolean isOtherKind(Throwable failure) {
        return BackendFailure.causeOf(failure) instanceof BackendFailure backend && backend.kind() == Kind.OTHER_KIND;
    }

    /** The failure of an attempt that may have left a node: its outcome is unknown, even if its last request was refused. */
    public static Throwable afterCreation(Throwable failure) {
        return mayPass(failure) && ((BackendFailure) failure).outcome() == Outcome.NOT_APPLIED
                ? new BackendFailure(Kind.UNAVAILABLE, Outcome.UNKNOWN, String.valueOf(failure.getMessage()), failure)
                : failure;
    }

    public static BackendFailure notSent(String why, @Nullable Throwable cause) {
        return new BackendFailure(Kind.UNAVAILABLE, Outcome.NOT_APPLIED, why, cause);
    }

    public static BackendFailure unknown(String why) {
        return new BackendFailure(Kind.UNAVAILABLE, Outcome.UNKNOWN, why, null);
    }

    /** An error ended the call that sent a request. */
    static BackendFailure brokenOff(Throwable error) {
        return new BackendFailure(
                Kind.UNAVAILABLE, Outcome.UNKNOWN, "a request to ZooKeeper broke off: " + error, error);
    }

    public static BackendFailure incompatible(String why) {
        return new BackendFailure(Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, why, null);
    }

    /** True if a later attempt may succeed. */
    public static boolean mayPass(Throwable failure) {
        return BackendFailure.causeOf(failure) instanceof BackendFailure backend && backend.kind() == Kind.UNAVAILABLE;
    }
}

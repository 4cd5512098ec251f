package io.hasp.zookeeper.layout;

import io.hasp.spi.HolderId;
import io.hasp.spi.Share;
import org.jspecify.annotations.Nullable;

/**
 * The name of a holder's or waiter's node: {@code x-<holder>-<sequence>} for an exclusive lock, {@code
 * s.<capacity>.<weight>-<holder>-<sequence>} for the others. If its client may keep the lock without a use, it is {@code
 * x-k-<holder>-<sequence>}: an older version takes it for a holder or waiter like any other. A holder that gives back a part of its weight
 * gets a node with the lower weight and the same sequence: the sequence in the name is its place.
 *
 * @param text the name
 * @param share its share of the lock
 * @param sequence its place, see {@link NodeOrder#sequence}
 */
public record NodeName(String text, Share share, long sequence) {
    private static final String EXCLUSIVE = "x-";
    private static final String SHARED = "s.";
    private static final String KEEPS = "k-";
    private static final String KEEPER = EXCLUSIVE + KEEPS;

    /** The name of a holder's node before ZooKeeper appends the sequence. */
    public static String prefix(HolderId holder, Share share, boolean keeps) {
        return (share.isExclusive() ? EXCLUSIVE : SHARED + share.capacity() + "." + share.weight() + "-")
                + id(holder, keeps)
                + "-";
    }

    /** Returns the part of the name that belongs to this holder alone. */
    public static String id(HolderId holder, boolean keeps) {
        return keeps ? KEEPS + holder.value() : holder.value();
    }

    /** The holder or waiter whose node this is. */
    public HolderId holder() {
        int start = keeps() ? KEEPER.length() : holderStart(text);
        return new HolderId(text.substring(start, text.length() - 1 - NodeOrder.DIGITS));
    }

    /** True if the node's client may keep the lock. */
    public boolean keeps() {
        return keeps(text);
    }

    /** True if a node that {@link NodeOrder#sequence} accepts is of a client that may keep the lock. */
    public static boolean keeps(String child) {
        return child.startsWith(KEEPER) && child.length() > KEEPER.length() + 1 + NodeOrder.DIGITS;
    }

    /** The name's parts; null for a foreign node. */
    public static @Nullable NodeName parse(String child) {
        long sequence = NodeOrder.sequence(child);
        Share share = sequence < 0 ? null : share(child);
        return share == null ? null : new NodeName(child, share, sequence);
    }

    /** Returns this place with another weight. */
    public NodeName withShare(Share other) {
        String holderAndSequence = text.substring(text.indexOf('-'));
        return new NodeName(SHARED + other.capacity() + "." + other.weight() + holderAndSequence, other, sequence);
    }

    /** The index of the holder's id in the name; −1 for a foreign node. */
    static int holderStart(String child) {
        if (child.startsWith(EXCLUSIVE)) {
            return EXCLUSIVE.length();
        }
        return child.startsWith(SHARED) && share(child) != null ? child.indexOf('-') + 1 : -1;
    }

    /** True if a node that {@link NodeOrder#sequence} accepts is of a shared lock. */
    static boolean isShared(String child) {
        return child.startsWith(SHARED);
    }

    private static @Nullable Share share(String child) {
        if (child.startsWith(EXCLUSIVE)) {
            return Share.EXCLUSIVE;
        }
        int dot = child.indexOf('.', SHARED.length());
        int dash = child.indexOf('-');
        if (dot < 0 || dash < dot) {
            return null;
        }
        int capacity = bounded(child, SHARED.length(), dot, Share.READ_WRITE);
        int weight = bounded(child, dot + 1, dash, capacity);
        return capacity < 2 || weight < 1 ? null : new Share(weight, capacity);
    }

    /** A plain number from 1 to {@code most}, without leading zeros; −1 for anything else. */
    private static int bounded(String child, int from, int to, int most) {
        int length = to - from;
        if (length < 1 || length > NodeOrder.DIGITS || child.charAt(from) == '0') {
            return -1;
        }
        long number = NodeOrder.parseNumber(child, from, to);
        return number <= most ? (int) number : -1;
    }
}

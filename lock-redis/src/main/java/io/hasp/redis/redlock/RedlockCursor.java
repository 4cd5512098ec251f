package io.hasp.redis.redlock;

import io.hasp.redis.inspect.ListCursor;
import io.hasp.spi.BackendFailure;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place behind a page of names. Belongs to one page.
 *
 * @param node the node of the next page
 * @param leftOut nodes that did not answer when it was their turn
 * @param within the place on that node
 */
record RedlockCursor(int node, BitSet leftOut, ListCursor within) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,2});(\\d{1,19});(.*)", Pattern.DOTALL);

    static RedlockCursor at(int node, BitSet leftOut) {
        return new RedlockCursor(node, leftOut, ListCursor.at("-"));
    }

    /** Reads the text of a cursor, empty for the first page; fails with {@link BackendFailure} for any other text. */
    static RedlockCursor parse(String text) {
        if (text.isEmpty()) {
            return at(0, new BitSet());
        }
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw ListCursor.notOne(text);
        }
        BitSet leftOut = BitSet.valueOf(new long[] {Long.parseLong(parts.group(2))});
        return new RedlockCursor(Integer.parseInt(parts.group(1)), leftOut, ListCursor.parse(parts.group(3)));
    }

    /** The nodes that were left out, and this one. */
    BitSet withLeftOut() {
        BitSet more = (BitSet) leftOut.clone();
        more.set(node);
        return more;
    }

    @Override
    public String toString() {
        long[] bits = leftOut.toLongArray();
        return node + ";" + (bits.length == 0 ? 0 : bits[0]) + ";" + within;
    }
}

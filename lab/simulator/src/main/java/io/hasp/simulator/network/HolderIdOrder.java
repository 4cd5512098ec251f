package io.hasp.simulator.network;

import io.hasp.spi.HolderId;
import java.util.Comparator;

/** Sorts holder ids by the order in which a client made them. That order is the same in every run of a seed. */
final class HolderIdOrder {
    static final Comparator<HolderId> OLDEST_FIRST = Comparator.comparingLong(HolderIdOrder::number);

    private HolderIdOrder() {}

    private static long number(HolderId holder) {
        String value = holder.value();
        return Long.parseLong(value.substring(value.lastIndexOf('-') + 1), Character.MAX_RADIX);
    }
}

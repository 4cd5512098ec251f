package io.hasp.evaluation.measure;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The work of one thread in a slice.
 *
 * @param lockNames the locks it took
 * @param finished the number of cycles finished within the slice
 * @param lostHolds holds found to be lost at their release
 * @param times of each cycle, or of each wait if threads contend for one lock, in nanoseconds
 * @param holds all holds
 */
record WorkerLog(List<String> lockNames, long finished, long lostHolds, Histogram times, HoldLog holds) {

    /** The number of texts that encode one log. */
    static final int ARGUMENTS = 5;

    private static final String SEPARATOR = "\n";

    List<String> toArguments() {
        ByteBuffer encoded = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
        int length = times.encodeIntoByteBuffer(encoded);
        return List.of(
                String.join(SEPARATOR, lockNames),
                Long.toString(finished),
                Long.toString(lostHolds),
                Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(encoded.array(), length)),
                holds.toText());
    }

    static WorkerLog ofArguments(List<String> arguments) {
        ByteBuffer encoded = ByteBuffer.wrap(Base64.getUrlDecoder().decode(arguments.get(3)));
        return new WorkerLog(
                List.of(arguments.get(0).split(SEPARATOR, -1)),
                Long.parseLong(arguments.get(1)),
                Long.parseLong(arguments.get(2)),
                Histogram.decodeFromByteBuffer(encoded, 0),
                HoldLog.ofText(arguments.get(4)));
    }
}

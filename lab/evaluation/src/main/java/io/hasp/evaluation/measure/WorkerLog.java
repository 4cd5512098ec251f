package io.hasp.evaluation.measure;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What one thread did in a slice.
 *
 * @param lockNames the locks it took
 * @param finished what it finished within the slice
 * @param lostHolds holds that were found to be lost when they were released
 * @param times of each cycle, or of each wait where one lock is contended, in nanoseconds
 * @param holds all holds
 */
record WorkerLog(List<String> lockNames, long finished, long lostHolds, Histogram times, HoldLog holds) {

    /** How many texts one log is sent as. */
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

package io.hasp.zookeeper;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A token floor: a persistent child {@code floor-<offset>-<sequence>} of a lock's folder, found by the listing that every
 * holder asks for anyway. The offset is added to the transaction id of the holders that came after it, so that all listings
 * tell the same of a holder, whenever they are made, and tokens stay in order.
 *
 * @param node its name in the folder
 * @param offset what to add
 * @param sequence when it came
 */
record Floor(String node, long offset, long sequence) {
    private static final Pattern NODE = Pattern.compile("floor-(\\d{1,19})-(\\d{10})");

    /** How its node begins, before ZooKeeper appends the sequence. */
    static String prefix(long offset) {
        return "floor-" + offset + "-";
    }

    static List<Floor> among(List<String> children) {
        return children.stream().flatMap(Floor::of).toList();
    }

    private static Stream<Floor> of(String child) {
        Matcher floor = NODE.matcher(child);
        return floor.matches()
                ? Stream.of(new Floor(child, Long.parseLong(floor.group(1)), Long.parseLong(floor.group(2))))
                : Stream.empty();
    }

    /** The largest offset so far; zero if there is none. */
    static long offset(List<String> children) {
        return highest(children).map(Floor::offset).orElse(0L);
    }

    private static Optional<Floor> highest(List<String> children) {
        return among(children).stream().max(Comparator.comparingLong(Floor::offset));
    }

    /** What is to be added to the transaction id of a holder. */
    static long under(String holder, List<String> children) {
        long mine = Line.sequence(holder);
        return among(children).stream()
                .filter(floor -> floor.sequence() < mine)
                .mapToLong(Floor::offset)
                .max()
                .orElse(0);
    }

    /** The lower ones, once everybody in the folder came after the highest. */
    static List<Floor> outdated(List<String> children) {
        return highest(children)
                .filter(highest -> !Line.anyBefore(children, highest.sequence()))
                .map(highest -> among(children).stream()
                        .filter(floor -> floor.offset() < highest.offset() && floor.sequence() < highest.sequence())
                        .toList())
                .orElse(List.of());
    }
}

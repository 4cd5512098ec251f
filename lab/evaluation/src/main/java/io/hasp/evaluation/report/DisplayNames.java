package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Experiments;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Words for the short names in results. A name that is not listed here is shown as it is. */
final class DisplayNames {
    private static final Map<String, String> SUBJECTS = Map.ofEntries(
            Map.entry("hasp-redis-jedis", "Hasp on Redis: redis://host"),
            Map.entry("hasp-redis-lettuce", "Hasp on Redis, through a Lettuce client"),
            Map.entry("hasp-redis-redisson", "Hasp on Redis, through a Redisson client"),
            Map.entry("hasp-redis-kept", "Hasp on Redis, keeping released locks: redis://host?keep=3s"),
            Map.entry("hasp-zookeeper-kept", "Hasp on ZooKeeper, keeping released locks: zookeeper://a,b,c?keep=3s"),
            Map.entry("hasp-redlock", "Hasp on five independent Redis servers: redlock://a,b,c,d,e"),
            Map.entry("hasp-zookeeper", "Hasp on ZooKeeper: zookeeper://a,b,c"),
            Map.entry("redisson-rlock", "Redisson's RLock"),
            Map.entry("redisson-fairlock", "Redisson's fair lock"),
            Map.entry("redisson-fencedlock", "Redisson's RFencedLock"),
            Map.entry("redisson-spinlock", "Redisson's RedissonSpinLock"),
            Map.entry("redisson-redlock", "Redisson's RedissonRedLock, deprecated by Redisson"),
            Map.entry("curator-mutex", "Curator's InterProcessMutex, one shared by all threads"),
            Map.entry("curator-mutex-per-thread", "Curator's InterProcessMutex, one for each thread"),
            Map.entry("curator-semaphore-mutex", "Curator's InterProcessSemaphoreMutex, one for each thread"),
            Map.entry("spring-redis", "Spring Integration's registry on Redis, in pub/sub mode"),
            Map.entry("spring-redis-spin", "Spring Integration's registry on Redis, in spin mode, its default"),
            Map.entry("shedlock-redis", "ShedLock on Redis, which skips what is busy"),
            Map.entry("spring-zookeeper", "Spring Integration's registry on ZooKeeper"),
            Map.entry("hasp-postgres", "Hasp on PostgreSQL: postgresql://host/database"),
            Map.entry("spring-jdbc", "Spring Integration's JdbcLockRegistry"),
            Map.entry("shedlock-jdbc", "ShedLock on JDBC, which skips what is busy"),
            Map.entry("baseline-postgres", "one statement that inserts a row, and one that deletes it"),
            Map.entry("baseline-postgres-durable", "the same two statements, and both wait for the disk"),
            Map.entry("baseline-redis", "the least work that can be called a lock on Redis"),
            Map.entry("baseline-redis-lettuce", "the same two scripts through a Lettuce client"),
            Map.entry("baseline-redis-redisson", "the same two scripts through a Redisson client"),
            Map.entry("baseline-zookeeper", "the least work that can be called a lock on ZooKeeper"));

    /** The names of locks that differ from another one in one setting. */
    private static final Map<String, String> SETTINGS =
            Map.of("-fifo", ", in strict order between threads, too (ordering=fifo)");

    /**
     * The lock that replaces a library's exclusive one in experiments with shared locks, with several locks
     * at once and with elections, by the beginning of the subject's name; the longest one counts.
     */
    private static final Map<String, Map<String, String>> SHARED = Map.of(
            Experiments.READ_MOSTLY.name(),
            Map.of("hasp-", "readWriteLock", "redisson-", "RReadWriteLock", "curator-", "InterProcessReadWriteLock"),
            Experiments.PERMITS.name(),
            Map.of(
                    "hasp-",
                    "semaphore",
                    "redisson-",
                    "RPermitExpirableSemaphore",
                    "curator-",
                    "InterProcessSemaphoreV2"),
            Experiments.ALL_OF.name(),
            Map.of("hasp-", "allOf", "redisson-", "RMultiLock", "curator-", "InterProcessMultiLock"),
            Experiments.ELECTION.name(),
            Map.of(
                    "hasp-",
                    "election",
                    "curator-mutex",
                    "LeaderLatch",
                    "curator-mutex-per-thread",
                    "LeaderSelector",
                    "spring-",
                    "LockRegistryLeaderInitiator"));

    private DisplayNames() {}

    /**
     * The short name of a lock in an experiment. Where several share a lock, a library takes part with another class than the one that
     * the short name stands for: then the library and that class. Hasp's locks keep their names, which say what they are on.
     */
    static String in(String experiment, String label) {
        return SHARED.getOrDefault(experiment, Map.of()).entrySet().stream()
                .filter(each -> label.startsWith(each.getKey()))
                .max(Comparator.comparingInt(each -> each.getKey().length()))
                .map(each -> label.startsWith("hasp-")
                        ? label + " " + each.getValue()
                        : label.substring(0, label.indexOf('-')) + " " + each.getValue())
                .orElseGet(() -> marked(label));
    }

    static String subject(String label) {
        return SETTINGS.entrySet().stream()
                .filter(setting -> label.endsWith(setting.getKey()))
                .findFirst()
                .map(setting -> subject(label.substring(
                                0, label.length() - setting.getKey().length()))
                        + setting.getValue())
                .orElseGet(() -> SUBJECTS.getOrDefault(label, label));
    }

    /** The short name, for a sentence or a table; says if its library advises against it. */
    static String marked(String label) {
        return isDeprecated(label) ? label + " (deprecated)" : label;
    }

    static boolean isDeprecated(String label) {
        return label.equals("redisson-redlock");
    }

    /** Returns true if the lock is part of this comparison. */
    static boolean isKnown(String label) {
        return !subject(label).equals(label);
    }

    static String unit(String unit) {
        return switch (unit) {
            case "us" -> "µs";
            case "1/s" -> "per second";
            case "1" -> "";
            case "B" -> "bytes";
            case "B/s" -> "bytes per second";
            case "us/op" -> "µs for each acquisition";
            case "B/op" -> "bytes for each acquisition";
            default -> unit;
        };
    }

    static String figure(double value, String unit) {
        return (NumberText.number(value) + " " + unit(unit)).strip();
    }

    static String spread(double median, double low, double high, String unit) {
        String brackets = "(" + NumberText.number(low) + "–" + NumberText.number(high) + ")";
        return (NumberText.number(median) + " " + brackets + " " + unit(unit)).strip();
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** One, two or more things as a sentence lists them. */
    static String list(List<String> things) {
        int last = things.size() - 1;
        return last < 1
                ? String.join("", things)
                : String.join(", ", things.subList(0, last)) + " and " + things.get(last);
    }

    static String capital(String sentence) {
        return sentence.isEmpty()
                ? sentence
                : sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
    }
}

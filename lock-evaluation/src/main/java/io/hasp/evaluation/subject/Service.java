package io.hasp.evaluation.subject;

/** What a lock is kept on. */
public enum Service {
    /** One Redis server. */
    REDIS("Redis (1 server)"),
    /** Five Redis servers that know nothing of each other. */
    REDLOCK("Redis (5 independent servers)"),
    /** Three ZooKeeper servers that write every change to disk before they answer. */
    ZOOKEEPER("ZooKeeper (3 servers)");

    private final String words;

    Service(String words) {
        this.words = words;
    }

    /**
     * The service and its shape.
     *
     * @return words for a heading
     */
    public String words() {
        return words;
    }
}

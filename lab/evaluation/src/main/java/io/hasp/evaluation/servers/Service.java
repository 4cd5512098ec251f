package io.hasp.evaluation.servers;

/** The kind of servers that keep a lock. */
public enum Service {
    /** One Redis server. */
    REDIS("redis", "Redis", "Redis (1 server)"),
    /** Five independent Redis servers. */
    REDLOCK("redlock", "Redlock", "Redis (5 independent servers)"),
    /** Three ZooKeeper servers that write every change to disk before they answer. */
    ZOOKEEPER("zookeeper", "ZooKeeper", "ZooKeeper (3 servers)"),
    /** One PostgreSQL server that syncs each commit to disk. */
    POSTGRES("postgresql", "PostgreSQL", "PostgreSQL (1 server)");

    private final String scheme;
    private final String title;
    private final String words;

    Service(String scheme, String title, String words) {
        this.scheme = scheme;
        this.title = title;
        this.words = words;
    }

    /**
     * The scheme of its URIs.
     *
     * @return such as {@code redis}
     */
    public String scheme() {
        return scheme;
    }

    /**
     * The service alone.
     *
     * @return one word
     */
    public String title() {
        return title;
    }

    /**
     * The service and the shape in which it is started here.
     *
     * @return words for a heading
     */
    public String words() {
        return words;
    }
}

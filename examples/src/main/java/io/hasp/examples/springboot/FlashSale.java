package io.hasp.examples.springboot;

import io.hasp.Lease;
import io.hasp.LockClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.tools.Server;

/** Fifty clients buy from two instances of a shop until nothing is left; one instance is killed when half is sold. */
public final class FlashSale {
    private static final int CLIENTS = 50;
    static final int STOCK = 300;
    private static final int SOLD = 201;
    private static final int SOLD_OUT = 410;

    /**
     * The result of a sale.
     *
     * @param sales in the database
     * @param ofFirst the sales of the killed instance among them
     * @param confirmed to clients; an instance that is killed after a commit confirms nothing
     * @param leftOver in the database
     * @param counts the number of runs of the job
     * @param slowestMillis the longest time that a client waited for an answer
     * @param metrics of the remaining instance, as Prometheus scrapes them
     * @param lock the lock of the item while another process holds it, as the remaining instance shows it
     */
    record Result(
            int sales,
            int ofFirst,
            int confirmed,
            int leftOver,
            int counts,
            long slowestMillis,
            String metrics,
            String lock) {}

    private final AtomicInteger confirmed = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong slowest = new AtomicLong();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Instance first;
    private final Instance second;

    private FlashSale(Instance first, Instance second) {
        this.first = first;
        this.second = second;
    }

    /** Argument: a Redis server, such as {@code redis://127.0.0.1:6379}. */
    public static void main(String[] args) throws Exception {
        Result result = run(URI.create(args[0]).getPort());
        System.out.println(STOCK + " items, " + CLIENTS + " clients, two instances, one of them killed after "
                + result.ofFirst + " of its sales");
        System.out.println("sold: " + result.sales + ", confirmed to clients: " + result.confirmed + ", left over: "
                + result.leftOver + ", slowest answer: " + result.slowestMillis + " ms");
        System.out.println(result.sales + result.leftOver == STOCK ? "nothing was oversold" : "OVERSOLD");
        result.metrics
                .lines()
                .filter(line -> line.startsWith("hasp_") && !line.contains("_bucket"))
                .forEach(System.out::println);
        System.out.println("/actuator/locks/stock/1 shows " + result.lock);
    }

    static Result run(int redisPort) throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-tcpDaemon", "-ifNotExists")
                .start();
        String url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:shop;DB_CLOSE_DELAY=-1";
        List<Instance> instances = new ArrayList<>();
        try (Connection database = DriverManager.getConnection(url);
                Statement sql = database.createStatement()) {
            sql.execute("CREATE TABLE stock (item BIGINT PRIMARY KEY, left_over INT, token BIGINT)");
            sql.execute("CREATE TABLE sale (item BIGINT, instance VARCHAR, token BIGINT)");
            sql.execute("CREATE TABLE stock_count (counted TIMESTAMP, left_over INT)");
            sql.execute("INSERT INTO stock VALUES (1, " + STOCK + ", 0)");
            CompletableFuture<Instance> first =
                    CompletableFuture.supplyAsync(() -> Instance.start("first", url, redisPort));
            instances.add(Instance.start("second", url, redisPort));
            instances.add(0, first.get());
            FlashSale sale = new FlashSale(instances.get(0), instances.get(1));
            sale.sellOut();
            return new Result(
                    number(sql, "SELECT COUNT(*) FROM sale"),
                    number(sql, "SELECT COUNT(*) FROM sale WHERE instance = 'first'"),
                    sale.confirmed.get(),
                    number(sql, "SELECT left_over FROM stock"),
                    number(sql, "SELECT COUNT(*) FROM stock_count"),
                    sale.slowest.get(),
                    sale.second.page(sale.http, "prometheus"),
                    sale.lockedElsewhere(redisPort));
        } finally {
            instances.forEach(Instance::kill);
            server.stop();
        }
    }

    private String lockedElsewhere(int redisPort) throws IOException, InterruptedException {
        try (LockClient stockTaking = LockClient.connect("redis://127.0.0.1:" + redisPort + "?label=stock-taking");
                Lease lease = stockTaking.lock("stock/1").acquire()) {
            return second.page(http, "locks/" + lease.name());
        }
    }

    private static int number(Statement sql, String query) throws SQLException {
        try (ResultSet rows = sql.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private void sellOut() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Callable<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                boolean startsWithFirst = i % 2 == 0;
                clients.add(() -> shop(startsWithFirst));
            }
            for (Future<Void> client : threads.invokeAll(clients)) {
                client.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** A client. Who gets no answer goes to the other instance, not knowing whether it bought something. */
    private Void shop(boolean startsWithFirst) throws IOException, InterruptedException {
        boolean toFirst = startsWithFirst;
        while (true) {
            long begun = System.nanoTime();
            try {
                int answer = (toFirst ? first : second).buy(http);
                if (answer == SOLD_OUT) {
                    return null;
                }
                if (answer != SOLD) {
                    if (failures.incrementAndGet() > CLIENTS) {
                        throw new IllegalStateException("the shop answered " + answer);
                    }
                    continue; // It lost its lease, perhaps: as if there was no answer.
                }
                slowest.accumulateAndGet((System.nanoTime() - begun) / 1_000_000, Math::max);
                if (confirmed.incrementAndGet() == STOCK / 2) {
                    first.kill();
                }
            } catch (IOException e) {
                if (!toFirst) {
                    throw e;
                }
                toFirst = false;
            }
        }
    }
}

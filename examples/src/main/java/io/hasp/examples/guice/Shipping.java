package io.hasp.examples.guice;

import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import io.hasp.LockClient;
import io.hasp.guice.HaspModule;
import io.hasp.guice.HaspShutdown;
import java.util.Optional;

/** A service that ships orders, each under its own lock, with the one lock client of its injector. */
public final class Shipping {
    private final LockClient locks;

    /**
     * Made by the injector.
     *
     * @param locks shared by all services of the injector
     */
    @Inject
    public Shipping(LockClient locks) {
        this.locks = locks;
    }

    /**
     * Ships an order, unless another instance of this service is at it.
     *
     * @param order its number
     * @return what was done; empty if another instance is at this order
     * @throws InterruptedException if interrupted
     */
    public Optional<String> ship(int order) throws InterruptedException {
        return locks.lock("orders/" + order)
                .tryCall(lease -> "shipped order " + order + ", with token " + lease.fencingToken())
                .toOptional();
    }

    /**
     * Ships two orders.
     *
     * @param args the URI of a lock service; {@code memory://local} if absent
     * @throws InterruptedException if interrupted
     */
    public static void main(String[] args) throws InterruptedException {
        String uri = args.length > 0 ? args[0] : "memory://local";
        Injector injector = Guice.createInjector(HaspModule.connectingTo(uri));
        try (HaspShutdown shutdown = injector.getInstance(HaspShutdown.class)) { // closes the client at the end
            Shipping shipping = injector.getInstance(Shipping.class);
            for (int order = 41; order <= 42; order++) {
                System.out.println(shipping.ship(order).orElse("another instance ships this order"));
            }
        }
    }
}

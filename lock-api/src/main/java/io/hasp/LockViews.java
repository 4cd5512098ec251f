package io.hasp;

import io.hasp.engine.lease.FencingTokens;
import io.hasp.spi.Inspector;
import io.hasp.spi.Share;
import java.util.List;
import java.util.OptionalLong;

/** Translates the answers of an inspector for the users of the API. */
final class LockViews {
    private LockViews() {}

    static LockView of(Inspector.Content lock) {
        LockView.Kind kind = kind(lock.capacity());
        return new LockView(
                lock.name().value(),
                kind,
                kind == LockView.Kind.SEMAPHORE ? lock.capacity() : 1,
                holders(lock.holders(), kind),
                lock.waiters().stream().map(waiter -> waiter(waiter, kind)).toList(),
                lock.waiting(),
                lock.newestToken() == 0
                        ? OptionalLong.empty()
                        : OptionalLong.of(FencingTokens.of(lock.newestToken(), 0)),
                lock.readAt(),
                lock.nodes().stream()
                        .map(node -> new LockView.Node(node.address(), node.failure(), holders(node.holders(), kind)))
                        .toList());
    }

    private static LockView.Kind kind(int capacity) {
        return switch (capacity) {
            case 1 -> LockView.Kind.EXCLUSIVE;
            case Share.READ_WRITE -> LockView.Kind.READ_WRITE;
            default -> LockView.Kind.SEMAPHORE;
        };
    }

    private static List<LockView.Holder> holders(List<Inspector.Holder> holders, LockView.Kind kind) {
        return holders.stream().map(holder -> holder(holder, kind)).toList();
    }

    private static LockView.Holder holder(Inspector.Holder holder, LockView.Kind kind) {
        LockView.Use use = switch (holder.state()) {
            case HELD -> use(holder.weight(), kind);
            case RECALLABLE -> LockView.Use.MAY_BE_KEPT;
            case RETAINED -> LockView.Use.STAYS_TAKEN;
        };
        return new LockView.Holder(
                holder.label(),
                FencingTokens.of(holder.token(), 0),
                permits(holder.weight(), kind),
                use,
                holder.since(),
                holder.left());
    }

    private static LockView.Waiter waiter(Inspector.Waiter waiter, LockView.Kind kind) {
        return new LockView.Waiter(
                waiter.label(), permits(waiter.weight(), kind), use(waiter.weight(), kind), waiter.since());
    }

    private static LockView.Use use(int weight, LockView.Kind kind) {
        if (kind != LockView.Kind.READ_WRITE) {
            return LockView.Use.HELD;
        }
        return weight == Share.READ_WRITE ? LockView.Use.WRITE : LockView.Use.READ;
    }

    private static int permits(int weight, LockView.Kind kind) {
        return kind == LockView.Kind.SEMAPHORE ? weight : 1;
    }
}

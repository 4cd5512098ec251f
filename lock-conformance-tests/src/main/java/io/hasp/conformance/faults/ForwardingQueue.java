package io.hasp.conformance.faults;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection: a queue of bytes, and finally the stream's end, which the policy releases. Confined to
 * the proxy's event loop, except for delays: a selector waits for whole milliseconds. The queue is unbounded: held
 * bytes stay in memory.
 */
final class ForwardingQueue {
    private final EventLoop loop;
    private final Deque<Item> queue = new ArrayDeque<>();
    private @Nullable Channel to;
    private TrafficPolicy policy;
    private boolean lossy;
    private long passed;
    private long waiting;
    private long dropped;

    /** Bytes; or, without bytes, an end of that kind. */
    private record Item(@Nullable ByteBuf bytes, ConnectionEnd end, long arrived) {
        int size() {
            return bytes == null ? 0 : bytes.readableBytes();
        }
    }

    ForwardingQueue(EventLoop loop, TrafficPolicy policy) {
        this.loop = loop;
        this.policy = policy;
    }

    void leadsTo(Channel channel) {
        to = channel;
        drain();
    }

    void bytes(ByteBuf bytes) {
        add(new Item(bytes, ConnectionEnd.FIN, System.nanoTime()));
    }

    void end(ConnectionEnd how) {
        add(new Item(null, how, System.nanoTime()));
    }

    private void add(Item item) {
        queue.add(item);
        waiting += item.size();
        drain();
    }

    void policy(TrafficPolicy next) {
        policy = next;
        drain();
    }

    /** From now on the stream has a gap. */
    void breakStream() {
        lossy = true;
    }

    /** Returns true if the queue lost bytes, after which it must forward no others. */
    boolean broken() {
        return lossy && !(policy instanceof TrafficPolicy.Drop);
    }

    private void drain() {
        while (!queue.isEmpty() && !(policy instanceof TrafficPolicy.Hold)) {
            Item item = queue.element();
            if (policy instanceof TrafficPolicy.Drop) {
                lossy = true;
                dropped += item.size();
                release(queue.remove());
                continue;
            }
            if (to == null) {
                return;
            }
            if (policy instanceof TrafficPolicy.Delayed delayed) {
                long left = item.arrived() + delayed.by().toNanos() - System.nanoTime();
                if (left > 0) {
                    CompletableFuture.delayedExecutor(left, TimeUnit.NANOSECONDS, loop)
                            .execute(this::drain);
                    return;
                }
            }
            passed += item.size();
            send(to, queue.remove());
        }
    }

    private void send(Channel channel, Item item) {
        waiting -= item.size();
        if (item.bytes() == null) {
            close(channel, item.end());
        } else {
            channel.writeAndFlush(item.bytes());
        }
    }

    private void release(Item item) {
        waiting -= item.size();
        if (item.bytes() != null) {
            item.bytes().release();
        }
    }

    void discard() {
        while (!queue.isEmpty()) {
            release(queue.remove());
        }
    }

    static void close(Channel channel, ConnectionEnd how) {
        if (how != ConnectionEnd.FIN && channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        channel.close();
    }

    long passed() {
        return passed;
    }

    long waiting() {
        return waiting;
    }

    long dropped() {
        return dropped;
    }
}

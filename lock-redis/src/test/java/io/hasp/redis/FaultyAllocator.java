package io.hasp.redis;

import io.hasp.redis.FaultyChannel.Steps;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

/** Memory for the channels of Netty, which runs out at a chosen step: where a buffer is made, and where it grows. */
final class FaultyAllocator extends AbstractByteBufAllocator {
    private final Steps steps;

    FaultyAllocator(Steps steps) {
        super(false);
        this.steps = steps;
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initial, int most) {
        steps.step();
        return new UnpooledHeapByteBuf(this, initial, most) {
            @Override
            public ByteBuf capacity(int size) {
                steps.step();
                return super.capacity(size);
            }
        };
    }

    @Override
    protected ByteBuf newDirectBuffer(int initial, int most) {
        steps.step();
        return new UnpooledDirectByteBuf(this, initial, most) {
            @Override
            public ByteBuf capacity(int size) {
                steps.step();
                return super.capacity(size);
            }
        };
    }
}

package io.hasp.redis.lettuce;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A connection on which a reply counts only if it comes in order. A server replies in the order of the commands, and Lettuce keeps
 * the commands in that order, too. But where an error of the JVM ends one of its steps, it may keep a command that was never sent, or
 * drop one whose reply is still to come. From then on each reply would go to another command, and a lock to another holder. So commands
 * are numbered as they are written. At the first reply to another one than the next, the connection is ended, and that reply is not
 * believed.
 */
final class OrderedConnection {
    private final StatefulRedisConnection<String, String> connection;
    private final AtomicBoolean closing = new AtomicBoolean();
    /** These three belong to the connection's thread. */
    private long written;

    private long answered;
    private boolean broken;

    OrderedConnection(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    /** Sends a command of which the reply is one text. */
    CompletableFuture<String> send(CommandType type, CommandArgs<String, String> arguments) {
        return send(type, arguments, new ValueOutput<>(StringCodec.UTF8));
    }

    /** The same of which the reply is one number. */
    CompletableFuture<Long> sendForNumber(CommandType type, CommandArgs<String, String> arguments) {
        return send(type, arguments, new IntegerOutput<>(StringCodec.UTF8));
    }

    private <T> CompletableFuture<T> send(
            CommandType type, CommandArgs<String, String> arguments, CommandOutput<String, String, T> output) {
        NumberedCommand<T> command = new NumberedCommand<>(type, arguments, output);
        connection.dispatch(command);
        return command;
    }

    /** The same behind {@code ASKING}; no other command comes between the two. */
    CompletableFuture<String> sendAsking(CommandType type, CommandArgs<String, String> arguments) {
        NumberedCommand<String> command = new NumberedCommand<>(type, arguments, new ValueOutput<>(StringCodec.UTF8));
        NumberedCommand<String> asking = new NumberedCommand<>(
                CommandType.ASKING, new CommandArgs<>(StringCodec.UTF8), new ValueOutput<>(StringCodec.UTF8));
        connection.dispatch(List.of(asking, command));
        return command;
    }

    void cut() {
        if (closing.compareAndSet(false, true)) {
            connection.closeAsync();
        }
    }

    void closeWith(LettuceClient client) {
        client.close(connection.isOpen(), this::cut);
    }

    private boolean isNext(long number) {
        broken |= number != answered;
        answered++;
        if (broken) {
            cut();
        }
        return !broken;
    }

    private final class NumberedCommand<T> extends AsyncCommand<String, String, T> {
        private long number;

        NumberedCommand(
                CommandType type, CommandArgs<String, String> arguments, CommandOutput<String, String, T> output) {
            super(new Command<>(type, output, arguments));
        }

        @Override
        public void encode(ByteBuf buffer) {
            number = written++;
            super.encode(buffer);
        }

        @Override
        public void complete() {
            if (isNext(number)) {
                super.complete();
            } else {
                completeExceptionally(new RedisException("the reply belongs to another command"));
            }
        }
    }
}

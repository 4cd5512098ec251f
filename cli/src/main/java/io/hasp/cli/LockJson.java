package io.hasp.cli;

import com.google.gson.stream.JsonWriter;
import io.hasp.LockView;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Prints locks as JSON, one object a line: times as ISO 8601, durations in milliseconds, tokens as strings, absent values as null. */
final class LockJson implements LockPrinter {
    private final PrintWriter out;
    private final boolean withWaiters;

    LockJson(PrintWriter out, boolean withWaiters) {
        this.out = out;
        this.withWaiters = withWaiters;
    }

    /** Writes the members of one object. */
    interface Members {
        void write(JsonWriter json) throws IOException;
    }

    /** Returns an object on one line. Control characters of other programs are escaped: the line is safe to print. */
    static String line(Members members) {
        StringWriter text = new StringWriter();
        JsonWriter json = new JsonWriter(text);
        try {
            json.beginObject();
            members.write(json);
            json.endObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Printable.text(text.toString());
    }

    @Override
    public void print(LockView lock) {
        out.println(line(json -> members(json, lock)));
    }

    private void members(JsonWriter json, LockView lock) throws IOException {
        json.name("name").value(lock.name());
        json.name("kind").value(LockText.word(lock.kind()));
        json.name("capacity").value(lock.capacity());
        json.name("holders").beginArray();
        for (LockView.Holder holder : lock.holders()) {
            holder(json, holder);
        }
        json.endArray();
        json.name("waiting").value(lock.waiting());
        if (withWaiters) {
            waiters(json, lock);
        }
        token(json, "newestToken", lock.newestToken());
        json.name("readAt").value(lock.readAt().toString());
        json.name("nodes").beginArray();
        for (LockView.Node node : lock.nodes()) {
            node(json, node);
        }
        json.endArray();
    }

    private static void holder(JsonWriter json, LockView.Holder holder) throws IOException {
        json.beginObject();
        json.name("label").value(holder.label());
        json.name("token").value(Long.toString(holder.fencingToken()));
        json.name("use").value(LockText.word(holder.use()));
        json.name("permits").value(holder.permits());
        time(json, "since", holder.since());
        json.name("leftMillis").value(holder.timeLeft().map(Duration::toMillis).orElse(null));
        json.endObject();
    }

    private static void waiters(JsonWriter json, LockView lock) throws IOException {
        json.name("waiters").beginArray();
        for (LockView.Waiter waiter : lock.waiters()) {
            json.beginObject();
            json.name("label").value(waiter.label());
            json.name("use").value(LockText.word(waiter.use()));
            json.name("permits").value(waiter.permits());
            time(json, "since", waiter.since());
            json.endObject();
        }
        json.endArray();
    }

    private static void node(JsonWriter json, LockView.Node node) throws IOException {
        json.beginObject();
        json.name("address").value(node.address());
        json.name("failure").value(node.failure().orElse(null));
        json.name("holders").beginArray();
        for (LockView.Holder holder : node.holders()) {
            holder(json, holder);
        }
        json.endArray();
        json.endObject();
    }

    private static void time(JsonWriter json, String name, Optional<Instant> at) throws IOException {
        json.name(name).value(at.map(Instant::toString).orElse(null));
    }

    private static void token(JsonWriter json, String name, OptionalLong token) throws IOException {
        json.name(name).value(token.isPresent() ? Long.toString(token.getAsLong()) : null);
    }

    @Override
    public void end() {
        out.flush();
    }
}

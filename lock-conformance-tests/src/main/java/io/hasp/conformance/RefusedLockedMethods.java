package io.hasp.conformance;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hasp.locked.LockKey;
import io.hasp.locked.Locked;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Classes with a locked method that every container must refuse, each with the reason in its message. Stateless. */
public final class RefusedLockedMethods {
    private RefusedLockedMethods() {}

    public static class NoSuchParameter {
        @Locked("orders/{id}")
        void run(long number) {}
    }

    public static class Ambiguous {
        @Locked("orders/{id}")
        void run(@LockKey("id") long number, @LockKey("id") long other) {}
    }

    public static class NoSuchStep {
        @Locked("orders/{thread.nosuch}")
        void run(Thread thread) {}
    }

    public static class NoText {
        @Locked("orders/{o}")
        void run(Object o) {}
    }

    public static class NoTextOfArray {
        @Locked("orders/{o}")
        void run(int[] o) {}
    }

    public static class NoTextOfInterface {
        @Locked("orders/{o}")
        void run(Runnable o) {}
    }

    public static class LoneBrace {
        @Locked("orders/{id")
        void run(long id) {}
    }

    public static class NoName {
        @Locked("")
        void run() {}
    }

    public static class NoDuration {
        @Locked(value = "a", waitAtMost = "soon")
        void run() {}
    }

    public static class TooShortLease {
        @Locked(value = "a", fixedLease = "1ms")
        void run() {}
    }

    public static class TwoLeases {
        @Locked(value = "a", fixedLease = "1s", renewedLease = "2s")
        void run() {}
    }

    public static class NegativeWait {
        @Locked(value = "a", waitAtMost = "PT-1S")
        void run() {}
    }

    public static class ReadsWithPermits {
        @Locked(value = "a", permits = 2, mode = Locked.Mode.READ)
        void run() {}
    }

    public static class NegativePermits {
        @Locked(value = "a", permits = -1)
        void run() {}
    }

    public static class ReadsForAnHour {
        @Locked(value = "a", mode = Locked.Mode.READ, takenAtLeast = "1h")
        void run() {}
    }

    @Locked("a/{id}")
    public static class ClassWithoutParameter {
        void other(int id) {}

        void run() {}
    }

    @Locked("a")
    public static class ClassWithFinalMethod {
        final void run() {}
    }

    public static class SkipsWithoutLimit {
        @Locked(value = "a", skipIfBusy = true)
        void run() {}
    }

    public static class SkipsResult {
        @Locked(value = "a", waitAtMost = "0s", skipIfBusy = true)
        String run() {
            return "";
        }
    }

    @SuppressWarnings("UnusedMethod") // refused before any caller could use it
    public static class Private {
        @Locked("a")
        private void run() {}
    }

    public static class FinalMethod {
        @Locked("a")
        final void run() {}
    }

    public static class Static {
        @Locked("a")
        static void run() {}
    }

    public static final class FinalClass {
        @Locked("a")
        void run() {}
    }

    public static class Rows {
        @Locked("a")
        Stream<String> run() {
            return Stream.of();
        }
    }

    /**
     * Returns the classes and the reasons.
     *
     * @param container the name of the container in its messages
     */
    public static Stream<Arguments> by(String container) {
        return Stream.of(
                arguments(NoSuchParameter.class, "{id} is not the name of one parameter, which are [number]"),
                arguments(Ambiguous.class, "{id} is not the name of one parameter, which are [id, id]"),
                arguments(NoSuchStep.class, "no accessible public method nosuch() or getNosuch()"),
                arguments(NoText.class, "Object, which has no toString of its own"),
                arguments(NoTextOfArray.class, "{o} is of type int[], which has no toString of its own"),
                arguments(NoTextOfInterface.class, "Runnable, which has no toString of its own"),
                arguments(LoneBrace.class, "'orders/{id' has a brace without its partner"),
                arguments(NoName.class, "lock name is empty"),
                arguments(NoDuration.class, "waitAtMost=soon is not a duration such as 500ms"),
                arguments(TooShortLease.class, "fixedLease is PT0.001S"),
                arguments(TwoLeases.class, "fixedLease=1s and renewedLease=2s: a lock has one of them"),
                arguments(NegativeWait.class, "waitAtMost=PT-1S is negative"),
                arguments(ReadsWithPermits.class, "permits=2 and mode=READ: a lock has one of them"),
                arguments(NegativePermits.class, "permits=-1: it must be positive"),
                arguments(ReadsForAnHour.class, "takenAtLeast with mode=READ: that is for exclusive locks"),
                arguments(
                        ClassWithoutParameter.class,
                        "ClassWithoutParameter.run(): {id} is not the name of one parameter, which are []"),
                arguments(ClassWithFinalMethod.class, "ClassWithFinalMethod.run(): the method is final"),
                arguments(SkipsWithoutLimit.class, "skipIfBusy without waitAtMost"),
                arguments(SkipsResult.class, "skipIfBusy, and it returns a String"),
                arguments(
                        Private.class, "Private.run(): the method is private, so " + container + " can't intercept it"),
                arguments(FinalMethod.class, "FinalMethod.run(): the method is final"),
                arguments(Static.class, "Static.run(): the method is static"),
                arguments(FinalClass.class, "FinalClass is final, so " + container + " can't intercept its methods"),
                arguments(Rows.class, "it returns a Stream, whose work may go on"));
    }
}

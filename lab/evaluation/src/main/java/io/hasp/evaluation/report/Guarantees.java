package io.hasp.evaluation.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The results of one run of the conformance suite, with its rules. Shipped as {@code guarantees.json}, which
 * {@code GuaranteesTest} in this module's tests generates; see {@code docs/results.md}.
 *
 * @param commit the commit that the suite was run on
 * @param date the date of the run
 * @param tier the thoroughness: {@code standard} or {@code full}
 * @param sources a hash of the content of the locks' sources, made by {@link LockSources}
 * @param rules each rule of the run
 * @param outcomes the outcome of each rule's tests for each lock
 */
record Guarantees(String commit, String date, String tier, String sources, List<Rule> rules, List<Guarantee> outcomes) {
    /** Suffix of the name of a lock that was tested with the command timeout that its documentation advises. */
    static final String ADVISED_TIMEOUT = "-timeout";

    private static final String RESOURCE = "guarantees.json";

    /** The outcome of one test of the suite, as the page shows it. */
    enum Outcome {
        /** The suite tried to break the rule and found no violation. */
        @JsonProperty("held")
        HELD("held", "no violation found: "),
        /** The suite has a counter-example. */
        @JsonProperty("broken")
        BROKEN("broken", "broken by "),
        /** No answer within the suite's patience, which is no false answer. */
        @JsonProperty("late")
        LATE("late", "no answer in time: "),
        /** The lock does not claim what the rule is about. */
        @JsonProperty("not offered")
        NOT_OFFERED("absent", "not offered: "),
        /** The test could not be run on it. */
        @JsonProperty("not tested")
        NOT_TESTED("absent", "not tested: ");

        private final String look;
        private final String words;

        Outcome(String look, String words) {
            this.look = look;
            this.words = words;
        }

        /** A class of the style sheet. */
        String look() {
            return look;
        }

        /** Returns the words in front of the names of locks. */
        String words() {
            return words;
        }
    }

    /**
     * The outcome of one test.
     *
     * @param rule the test's name, which begins with the rule's id
     * @param subject the lock
     * @param outcome the outcome
     * @param reason empty if it held
     */
    record Guarantee(String rule, String subject, Outcome outcome, String reason) {
        /** The id in SPEC.md, such as {@code ME2}. */
        String id() {
            return idOf(rule);
        }

        /**
         * Returns true if it is about that lock, with its usual settings or with the command timeout that its
         * documentation advises.
         */
        boolean isOf(String lock) {
            return subject.equals(lock) || subject.equals(lock + ADVISED_TIMEOUT);
        }
    }

    /**
     * A rule of SPEC.md.
     *
     * @param id such as {@code ME2}
     * @param sentence the rule's sentence
     * @param tests the tests of the rule
     */
    record Rule(String id, String sentence, List<RuleTest> tests) {}

    /**
     * A test of the suite.
     *
     * @param name of the method
     * @param source the file, from the root of the repository
     */
    record RuleTest(String name, String source) {}

    static String idOf(String test) {
        return test.substring(0, test.indexOf('_')).toUpperCase(Locale.ROOT);
    }

    /** Returns the results shipped with this build. */
    static Guarantees shipped() {
        try (InputStream in = Guarantees.class.getResourceAsStream(RESOURCE)) {
            return JsonMapper.builder().build().readValue(Objects.requireNonNull(in, RESOURCE), Guarantees.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those that a document has, without the sentences of the rules. */
    static Guarantees of(ResultsDocument document) {
        ResultsDocument.SuiteRun suite = document.suite();
        return new Guarantees(
                suite.commit(), suite.date(), suite.tier(), suite.sources(), List.of(), document.guarantees());
    }

    /** All about one lock. */
    List<Guarantee> of(String subject) {
        return outcomes.stream().filter(each -> each.subject().equals(subject)).toList();
    }

    /**
     * Returns true if at least one such rule was tested and all of them held. A refused or impossible test does not
     * count as held.
     */
    boolean keeps(String subject, String prefix) {
        List<Guarantee> about = of(subject).stream()
                .filter(each -> each.rule().startsWith(prefix))
                .toList();
        return !about.isEmpty() && about.stream().allMatch(each -> each.outcome() == Outcome.HELD);
    }

    boolean has(String subject, String prefix, Outcome outcome) {
        return of(subject).stream().anyMatch(each -> each.rule().startsWith(prefix) && each.outcome() == outcome);
    }
}

package io.hasp.conformance.rules.support;

import java.util.List;

/** Lock names that keys, paths and patterns like to fold together. Each is a lock of its own. */
public final class TrickyNames {
    public static final List<String> ALL = List.of(
            "a",
            "A",
            " a",
            "a ",
            "/",
            "//",
            "/a",
            "a/",
            "a/b",
            "a%2Fb",
            "a%2fb",
            ".",
            "..",
            "../a",
            "a.",
            "%",
            "%25",
            "%2F",
            "{a}",
            "{",
            "}",
            "}x",
            "{}",
            "a}b{c",
            "a:t",
            "a:q",
            "a|b",
            "a*",
            "?",
            "[a]",
            "\\",
            "\n",
            "\t",
            "é",
            "e\u0301",
            "😀",
            "ß",
            "ss",
            "null",
            "zookeeper",
            "/zookeeper",
            "a b",
            "a+b",
            "x".repeat(512),
            "€".repeat(170));

    private TrickyNames() {}
}

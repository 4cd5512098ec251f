package io.hasp.redis.diagnosis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A reply of {@code diagnosis/facts.lua}. Immutable.
 *
 * @param refusals the error of each command that was refused
 * @param tried the commands that were tried
 * @param info the fields that the server shows
 */
record ServerFacts(Map<String, String> refusals, List<String> tried, Map<String, String> info) {

    static ServerFacts parse(String reply) {
        Map<String, String> refusals = new LinkedHashMap<>();
        List<String> tried = new ArrayList<>();
        Map<String, String> info = new LinkedHashMap<>();
        boolean commands = true;
        for (String line : reply.split("\r?\n")) {
            int tab = line.indexOf('\t');
            int colon = line.indexOf(':');
            if (commands && tab > 0) {
                tried.add(line.substring(0, tab));
                if (tab + 1 < line.length()) {
                    refusals.put(line.substring(0, tab), line.substring(tab + 1));
                }
            } else if (commands && line.isEmpty()) {
                commands = false;
            } else if (colon > 0) {
                info.putIfAbsent(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return new ServerFacts(Map.copyOf(refusals), List.copyOf(tried), Map.copyOf(info));
    }

    Optional<String> shown(String field) {
        return Optional.ofNullable(info.get(field));
    }

    OptionalLong number(String field) {
        return shown(field).filter(value -> value.matches("\\d{1,18}")).stream()
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    boolean shows(String field, String value) {
        return shown(field).filter(value::equals).isPresent();
    }

    /** Returns true if some command was refused with this code. */
    boolean refusedWith(String code) {
        return refusals.values().stream().anyMatch(error -> error.contains(code));
    }
}

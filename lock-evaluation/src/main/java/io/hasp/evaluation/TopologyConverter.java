package io.hasp.evaluation;

import io.hasp.evaluation.servers.RedisTopology;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code --servers}. */
final class TopologyConverter implements ITypeConverter<RedisTopology> {
    @Override
    public RedisTopology convert(String text) {
        return Arrays.stream(RedisTopology.values())
                .filter(each -> each.label().equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is none of "
                        + Arrays.stream(RedisTopology.values())
                                .map(RedisTopology::label)
                                .collect(Collectors.joining(", "))));
    }
}

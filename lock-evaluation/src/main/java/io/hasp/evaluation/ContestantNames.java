package io.hasp.evaluation;

import io.hasp.evaluation.subject.Contestant;
import java.util.Iterator;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The names of subjects on the command line. */
final class ContestantNames implements ITypeConverter<Contestant>, Iterable<String> {

    @Override
    public Contestant convert(String name) {
        try {
            return Contestant.of(name);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    @Override
    public Iterator<String> iterator() {
        return Stream.of(Contestant.values()).map(Contestant::label).iterator();
    }
}

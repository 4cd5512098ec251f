package io.hasp.evaluation;

import io.hasp.evaluation.subject.Subject;
import java.util.Iterator;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The names of subjects on the command line. */
final class SubjectConverter implements ITypeConverter<Subject>, Iterable<String> {

    @Override
    public Subject convert(String name) {
        try {
            return Subject.of(name);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    @Override
    public Iterator<String> iterator() {
        return Stream.of(Subject.values()).map(Subject::label).iterator();
    }
}

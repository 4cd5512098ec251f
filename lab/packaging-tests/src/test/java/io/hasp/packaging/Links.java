package io.hasp.packaging;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The members of a library that a jar's classes use, resolved in the version that a user gets. The JVM resolves each
 * only at the call, so a run does not cover the calls that it does not reach.
 */
record Links(List<AccessTarget> targets) {

    static Links of(Path jar, String library) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return new Links(new ClassFileImporter()
                    .importJar(file).stream()
                            .flatMap(type -> type.getAccessesFromSelf().stream())
                            .<AccessTarget>map(access -> access.getTarget())
                            .filter(target -> target.getOwner().getPackageName().startsWith(library))
                            .distinct()
                            .toList());
        }
    }

    /** The targets that the class path does not have. */
    List<String> broken(Jars classPath) throws IOException {
        try (URLClassLoader loader = new URLClassLoader(classPath.urls(), ClassLoader.getPlatformClassLoader())) {
            return targets.stream()
                    .filter(target -> !exists(target, loader))
                    .map(AccessTarget::getFullName)
                    .toList();
        }
    }

    private static boolean exists(AccessTarget target, ClassLoader loader) {
        try {
            Class<?> owner = loader.loadClass(target.getOwner().getName());
            return members(owner).anyMatch(signature(target)::equals);
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            return false;
        }
    }

    private static Stream<String> members(Class<?> type) {
        Stream<String> own = Stream.of(
                        Stream.of(type.getDeclaredFields())
                                .map(field -> field.getType().getName() + " " + field.getName()),
                        Stream.of(type.getDeclaredMethods()).map(Links::signature),
                        Stream.of(type.getDeclaredConstructors()).map(Links::signature))
                .flatMap(members -> members);
        Stream<Class<?>> parents =
                Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()));
        return Stream.concat(own, parents.flatMap(Links::members));
    }

    private static String signature(Executable code) {
        String parameters = Arrays.toString(
                Stream.of(code.getParameterTypes()).map(Class::getName).toArray());
        return code instanceof Method method
                ? method.getReturnType().getName() + " " + method.getName() + parameters
                : "void <init>" + parameters;
    }

    private static String signature(AccessTarget target) {
        if (target instanceof AccessTarget.CodeUnitAccessTarget code) {
            List<String> parameters =
                    code.getRawParameterTypes().stream().map(JavaClass::getName).toList();
            return code.getRawReturnType().getName() + " " + code.getName() + parameters;
        }
        AccessTarget.FieldAccessTarget field = (AccessTarget.FieldAccessTarget) target;
        return field.getRawType().getName() + " " + field.getName();
    }
}

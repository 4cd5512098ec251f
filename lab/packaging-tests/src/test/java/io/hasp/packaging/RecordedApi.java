package io.hasp.packaging;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * The public types of an artifact, without code and without private members, as a small jar. The API gate compares the build with it:
 * japicmp reads headers only.
 */
record RecordedApi(String artifact) {
    /** Beside the artifacts whose descriptor says which packages are exported. */
    private static final Map<String, Set<String>> PACKAGES = Map.of(
            "lock-guice", Set.of("io.hasp.guice"),
            "lock-spring-boot", Set.of("io.hasp.spring", "io.hasp.spring.autoconfigure"),
            "lock-spring-integration", Set.of("io.hasp.spring.integration"));

    private static final LocalDateTime ANY_TIME = LocalDateTime.of(2026, 1, 1, 0, 0);
    private static final int VISIBLE = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED;

    /** The file in the repository. */
    Path file() throws IOException {
        return LocalRepository.folder(artifact).resolve("src/api/recorded.jar");
    }

    /** Makes the jar from what this build made. The same classes always give the same bytes. */
    byte[] made() throws IOException {
        Path jar = LocalRepository.built(artifact, "");
        Set<String> packages = packages(jar);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarFile built = new JarFile(jar.toFile());
                ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (JarEntry entry : built.stream().toList()) {
                if (isIn(packages, entry.getName())) {
                    try (InputStream in = built.getInputStream(entry)) {
                        write(zip, entry.getName(), in.readAllBytes());
                    }
                }
            }
        }
        return bytes.toByteArray();
    }

    /** The names of the types in the file. */
    List<String> types() throws IOException {
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(file()))) {
            List<String> found = new ArrayList<>();
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                found.add(entry.getName());
            }
            return found;
        }
    }

    void write() throws IOException {
        Files.createDirectories(file().getParent());
        Files.write(file(), made());
    }

    private Set<String> packages(Path jar) {
        ModuleDescriptor module =
                ModuleFinder.of(jar).findAll().iterator().next().descriptor();
        return module.isAutomatic()
                ? PACKAGES.getOrDefault(artifact, Set.of())
                : module.exports().stream()
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet());
    }

    private static boolean isIn(Set<String> packages, String entry) {
        int slash = entry.lastIndexOf('/');
        return slash > 0
                && entry.endsWith(".class")
                && packages.contains(entry.substring(0, slash).replace('/', '.'));
    }

    private static void write(ZipOutputStream zip, String name, byte[] type) throws IOException {
        ClassReader reader = new ClassReader(type);
        if ((reader.getAccess() & VISIBLE) == 0) {
            return;
        }
        ClassWriter header = new ClassWriter(0);
        reader.accept(new Headers(header), ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(ANY_TIME);
        zip.putNextEntry(entry);
        zip.write(header.toByteArray());
        zip.closeEntry();
    }

    /** Leaves out what no caller sees. */
    private static final class Headers extends ClassVisitor {
        Headers(ClassWriter header) {
            super(Opcodes.ASM9, header);
        }

        @Override
        public @Nullable FieldVisitor visitField(int access, String name, String type, String signature, Object value) {
            return (access & VISIBLE) == 0 ? null : super.visitField(access, name, type, signature, value);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String type, String signature, String[] thrown) {
            return (access & VISIBLE) == 0 ? null : super.visitMethod(access, name, type, signature, thrown);
        }
    }
}

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.Attributes;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds the points of the named classes, and writes their mutants. */
final class ClassFiles {
    private static final ClassDesc PROBE = ClassDesc.of("Probe");
    private static final MethodTypeDesc HIT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

    /** Changes the element at a place; all others stay. */
    private interface Editor {
        void edit(CodeBuilder builder, CodeElement element, int place);
    }

    private final Map<String, Path> files = new TreeMap<>();
    private final ClassFile classFile;

    /**
     * @param modules whose classes may be named
     * @param classPath that they and their supertypes are on
     */
    ClassFiles(List<Path> modules, List<Path> classPath) throws IOException {
        for (Path module : modules) {
            Path classes = module.resolve("target/classes");
            try (Stream<Path> found = Files.walk(classes)) {
                found.filter(f -> f.toString().endsWith(".class")).forEach(f -> {
                    String name = classes.relativize(f).toString();
                    files.put(name.substring(0, name.length() - 6).replace('/', '.'), f);
                });
            }
        }
        List<URL> urls = new ArrayList<>();
        for (Path entry : classPath) {
            urls.add(entry.toUri().toURL());
        }
        ClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new));
        classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(loader).orElse(ClassHierarchyResolver.defaultResolver())));
    }

    /** The classes of a name, with those nested in it; {@code .*} at the end names a package. */
    List<String> named(String pattern) {
        List<String> found = files.keySet().stream()
                .filter(name -> pattern.endsWith(".*")
                        ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                                && name.indexOf('.', pattern.length() - 1) < 0
                        : name.equals(pattern) || name.startsWith(pattern + "$"))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no class is named " + pattern);
        }
        return found;
    }

    List<Point> points(String group, String owner) throws IOException {
        List<Point> points = new ArrayList<>();
        Map<String, Integer> ordinals = new HashMap<>();
        ClassModel model = classFile.parse(files.get(owner));
        boolean kotlin = isKotlin(model);
        for (MethodModel method : model.methods()) {
            CodeModel code = method.code().orElse(null);
            if (code == null || Generated.isMethod(model, method, code)) {
                continue;
            }
            Mutations mutations = new Mutations(method, code, kotlin);
            String name = method.methodName().stringValue();
            List<CodeElement> elements = code.elementList();
            int line = 0;
            for (int place = 0; place < elements.size(); place++) {
                if (elements.get(place) instanceof LineNumber number) {
                    line = number.line();
                }
                for (Mutations.Change change : mutations.at(place)) {
                    // Counted also if it is left out, so that the others keep their names.
                    int ordinal = ordinals.merge(name + change.operator(), 1, Integer::sum);
                    Object label = Mutations.place(elements.get(place));
                    int of = label == null ? line : lineAfter(elements, label);
                    if (of > 0 && !Generated.isElement(elements, place)) { // What compilers add has no line.
                        points.add(new Point(group, owner, name, method.methodType().stringValue(), place, of,
                                change.operator(), change.what(), ordinal));
                    }
                }
            }
        }
        return points;
    }

    /** Writes the class with the change of one point, and returns whether the JVM would accept it. */
    boolean writeMutant(Point point, Path folder) throws IOException {
        ClassModel model = classFile.parse(files.get(point.owner()));
        boolean kotlin = isKotlin(model);
        byte[] bytes = edited(model, method -> {
            CodeModel code = method.code().orElse(null);
            if (code == null || !method.methodName().equalsString(point.method())
                    || !method.methodType().equalsString(point.descriptor())) {
                return null;
            }
            Mutations.Change change = new Mutations(method, code, kotlin)
                    .at(point.place()).stream()
                            .filter(c -> c.operator() == point.operator())
                            .findFirst()
                            .orElseThrow();
            return (b, element, place) -> {
                if (place == point.place()) {
                    change.code().accept(b);
                } else {
                    b.with(element);
                }
            };
        });
        write(point.owner(), bytes, folder);
        return classFile.verify(bytes).isEmpty();
    }

    /** Writes a class that reports each of its points that is reached. The number of a point is its index in the list. */
    void writeProbed(String owner, List<Point> all, Path folder) throws IOException {
        Map<String, Map<Object, List<Integer>>> probes = new HashMap<>();
        ClassModel model = classFile.parse(files.get(owner));
        for (int i = 0; i < all.size(); i++) {
            Point point = all.get(i);
            if (point.owner().equals(owner)) {
                probes.computeIfAbsent(point.method() + point.descriptor(), k -> new HashMap<>())
                        .computeIfAbsent(point.place(), k -> new ArrayList<>())
                        .add(i);
            }
        }
        byte[] bytes = edited(model, method -> {
            Map<Object, List<Integer>> places = probes.get(
                    method.methodName().stringValue() + method.methodType().stringValue());
            if (places == null) {
                return null;
            }
            // A handler is reached where its code begins.
            List<CodeElement> elements = method.code().orElseThrow().elementList();
            Map<Object, List<Integer>> handlers = new HashMap<>();
            places.forEach((place, numbers) -> {
                Object label = Mutations.place(elements.get((Integer) place));
                if (label != null) {
                    handlers.computeIfAbsent(label, k -> new ArrayList<>()).addAll(numbers);
                }
            });
            return (b, element, place) -> {
                if (Mutations.place(element) == null) {
                    hit(b, places.getOrDefault(place, List.of()));
                }
                b.with(element);
                if (element instanceof LabelTarget target) {
                    hit(b, handlers.getOrDefault(target.label(), List.of()));
                }
            };
        });
        write(owner, bytes, folder);
    }

    private static void hit(CodeBuilder builder, List<Integer> numbers) {
        for (int number : numbers) {
            builder.loadConstant(number).invokestatic(PROBE, "hit", HIT);
        }
    }

    private byte[] edited(ClassModel model, java.util.function.Function<MethodModel, Editor> editors) {
        return classFile.transformClass(model, (classBuilder, classElement) -> {
            Editor editor = classElement instanceof MethodModel method ? editors.apply(method) : null;
            if (editor == null) {
                classBuilder.with(classElement);
                return;
            }
            classBuilder.transformMethod((MethodModel) classElement, (methodBuilder, methodElement) -> {
                if (methodElement instanceof CodeModel code) {
                    int[] place = {0};
                    CodeTransform each = (b, element) -> editor.edit(b, element, place[0]++);
                    methodBuilder.transformCode(code, each);
                } else {
                    methodBuilder.with(methodElement);
                }
            });
        });
    }

    private static int lineAfter(List<CodeElement> elements, Object label) {
        boolean after = false;
        for (CodeElement element : elements) {
            after |= element instanceof LabelTarget target && target.label() == label;
            if (after && element instanceof LineNumber number) {
                return number.line();
            }
        }
        return 0;
    }

    private static boolean isKotlin(ClassModel model) {
        return model.findAttribute(Attributes.sourceFile())
                .map(SourceFileAttribute::sourceFile)
                .map(name -> name.stringValue().endsWith(".kt"))
                .orElse(false);
    }

    private static void write(String owner, byte[] bytes, Path folder) throws IOException {
        Path file = folder.resolve(owner.replace('.', '/') + ".class");
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }
}

package io.hasp.packaging;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A POM as users' builds get it. */
record PublishedPom(Document document) {
    private static final List<String> REQUIRED = List.of(
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/developerConnection",
            "scm/url");
    /** A parent would bring our tests' set-up into users' builds. */
    private static final List<String> UNWANTED = List.of(
            "parent",
            "properties",
            "build",
            "profiles",
            "modules",
            "repositories",
            "distributionManagement",
            "reporting");

    /** One dependency: group, artifact and version in one text, the scope (compile if it has none), and whether it is optional. */
    record Dependency(String coordinates, String scope, boolean optional) {}

    static PublishedPom read(Path file) throws IOException {
        try {
            return new PublishedPom(
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()));
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file + " can't be read", e);
        }
    }

    String packaging() {
        String packaging = text("/project/packaging");
        return packaging.isEmpty() ? "jar" : packaging;
    }

    List<Dependency> dependencies() {
        return nodes("/project/dependencies/dependency").stream()
                .map(node -> new Dependency(
                        text(node, "groupId") + ":" + text(node, "artifactId") + ":" + text(node, "version"),
                        text(node, "scope").isEmpty() ? "compile" : text(node, "scope"),
                        text(node, "optional").equals("true")))
                .toList();
    }

    List<String> violations(String group, String artifact, String version) {
        List<String> found = new ArrayList<>();
        requireEqual("groupId", group, found);
        requireEqual("artifactId", artifact, found);
        requireEqual("version", version, found);
        REQUIRED.stream()
                .filter(field -> text("/project/" + field).isEmpty())
                .forEach(field -> found.add("the POM has no " + field));
        UNWANTED.stream()
                .filter(field -> !nodes("/project/" + field).isEmpty())
                .forEach(field -> found.add("the POM has " + field));
        for (Dependency dependency : dependencies()) {
            if (dependency.scope().equals("test")) {
                found.add("the POM has the test dependency " + dependency.coordinates());
            }
            if (dependency.coordinates().endsWith(":")
                    || dependency.coordinates().contains("${")) {
                found.add("the POM has no version of " + dependency.coordinates());
            }
            if (dependency.coordinates().endsWith("-SNAPSHOT")) {
                found.add("the POM depends on the snapshot " + dependency.coordinates());
            }
        }
        return found;
    }

    private void requireEqual(String field, String expected, List<String> found) {
        String value = text("/project/" + field);
        if (!value.equals(expected)) {
            found.add("the POM's " + field + " is '" + value + "', its folder's " + expected);
        }
    }

    private String text(String path) {
        return text(document, path);
    }

    private static String text(Node from, String path) {
        try {
            return xpath().evaluate(path, from).strip();
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    private List<Node> nodes(String path) {
        try {
            NodeList found = (NodeList) xpath().evaluate(path, document, XPathConstants.NODESET);
            return IntStream.range(0, found.getLength()).mapToObj(found::item).toList();
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    private static XPath xpath() {
        return XPathFactory.newInstance().newXPath();
    }
}

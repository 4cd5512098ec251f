package io.hasp.evaluation.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.samskivert.mustache.Mustache;
import io.hasp.evaluation.measure.Failure;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.report.ChartData.Section;
import io.hasp.evaluation.report.Guarantees.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * {@code report.html}: the template of that name, filled. Everything is inside: style, script, charts and data, so that it
 * opens without a network.
 */
final class Page {
    private final ResultsDocument document;
    private final List<Rule> rules;

    Page(ResultsDocument document, List<Rule> rules) {
        this.document = document;
        this.rules = List.copyOf(rules);
    }

    /** The values that the template refers to by name. */
    private record Content(
            ResultsDocument document,
            String date,
            String style,
            String library,
            String errorBars,
            String script,
            String charts,
            List<Answer.Line> answer,
            List<String> servers,
            List<Answer.Row> onGivenServers,
            String picture,
            List<TortureCounts.Count> torture,
            TortureCounts tortured,
            List<GuaranteeTopic> topics,
            List<String> speeds,
            List<GuaranteeTable.Row> evidence,
            String interval,
            boolean oneFork,
            List<Section> sections,
            List<Curves.Section> curves,
            String noise,
            List<MachineNoise.Noise> noises,
            List<Name> names,
            List<Map.Entry<String, String>> versions,
            List<RuleAppendix.Entry> rules,
            List<Raw> raw,
            List<Broken> failures,
            String json,
            String csv) {}

    private record Name(String subject, String words, String service) {}

    private record Raw(Measurement measurement, String at, String median, String low, String high) {}

    record Broken(Failure failure) {
        String name() {
            return DisplayNames.in(failure.experiment(), failure.subject());
        }
    }

    /**
     * Fills the template.
     *
     * @param json the text of {@code results.json}, to be saved from the page
     * @param csv the text of {@code results.csv}, likewise
     */
    String html(String json, String csv) {
        Answer answer = new Answer(document);
        GuaranteeTable evidence = new GuaranteeTable(document);
        MachineNoise noise = new MachineNoise(document);
        TortureCounts tortured = TortureCounts.shipped();
        List<Section> sections = new ChartData(document).sections();
        List<Curves.Section> curves = new Curves(document).sections();
        Content content = new Content(
                document,
                document.machine().date().replace('T', ' ').replace("Z", " UTC"),
                text("report.css"),
                text("chart.js-4.6.1.min.js"),
                text("chartjs-chart-error-bars-4.4.5.min.js"),
                text("draw-charts.js"),
                charts(sections, curves),
                answer.lines(),
                answer.servers(),
                answer.onGivenServers(),
                ChoicePicture.of(document, false).orElse(""),
                tortured.counts().stream()
                        .filter(each -> document.subjects().stream()
                                .anyMatch(one -> one.subject().equals(each.subject())))
                        .toList(),
                tortured,
                GuaranteeTopic.ALL,
                evidence.headings(),
                evidence.rows(),
                Difference.INTERVAL,
                document.forks() < 2,
                sections,
                curves,
                noise.inWords(),
                noise.all(),
                document.subjects().stream()
                        .map(each -> new Name(each.subject(), DisplayNames.subject(each.subject()), each.service()))
                        .toList(),
                List.copyOf(document.machine().versions().entrySet()),
                new RuleAppendix(document, rules).entries(),
                document.measurements().stream()
                        .map(each -> new Raw(
                                each,
                                each.at() == 0 ? "" : NumberText.number(each.at()),
                                NumberText.number(each.median()),
                                NumberText.number(each.low()),
                                NumberText.number(each.high())))
                        .toList(),
                document.failures().stream().map(Broken::new).toList(),
                base64(json),
                base64(csv));
        return Mustache.compiler()
                .emptyStringIsFalse(true)
                .withLoader(name -> new StringReader(text(name + ".html")))
                .compile(text("report.html"))
                .execute(content);
    }

    /** As a script element may hold it. */
    private static String charts(List<Section> sections, List<Curves.Section> curves) {
        List<Record> specs = Stream.<Record>concat(
                        sections.stream()
                                .flatMap(each -> Stream.concat(Stream.of(each.first()), each.more().stream()))
                                .map(ChartData.Panel::spec),
                        curves.stream()
                                .flatMap(each -> Stream.concat(Stream.of(each.first()), each.more().stream()))
                                .map(Curves.Panel::spec))
                .toList();
        try {
            return JsonMapper.builder().build().writeValueAsString(specs).replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(String resource) {
        try (InputStream in = Page.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

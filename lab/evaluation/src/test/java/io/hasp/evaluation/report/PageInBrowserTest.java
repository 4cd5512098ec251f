package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a real run, as Chromium shows it. Pictures of it are kept in {@code target/page}. */
@InTier(Tier.STANDARD)
class PageInBrowserTest {
    /** A chart has ink on it, and all that can be seen is drawn. */
    private static final String BLANK_CHARTS = """
            [...document.querySelectorAll('canvas')].filter(c => c.offsetParent !== null).filter(c => {
              const pixels = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
              let ink = 0;
              for (let i = 3; i < pixels.length; i += 4) if (pixels[i] > 0) ink++;
              return c.dataset.drawn !== 'yes' || ink < 500;
            }).map(c => c.id)""";

    private static final String DEAD_LINKS = """
            [...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))
              .filter(href => href.startsWith('#') ? !document.getElementById(href.slice(1)) : !href.startsWith('data:'))""";

    private static final String WITHOUT_NAMES = """
            [...document.querySelectorAll('th:not([scope])')].map(th => th.textContent)
              .concat([...document.querySelectorAll('canvas')]
                .filter(c => c.getAttribute('role') !== 'img' || !c.getAttribute('aria-label')).map(c => c.id))
              .concat([...document.querySelectorAll('.wide')].filter(w => w.tabIndex !== 0).map(w => w.className))""";

    private static final String SKIPPED_LEVELS = """
            [...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])
              .filter((level, i, all) => i > 0 && level > all[i - 1] + 1)""";

    /** Contrast of every colour of text with both backgrounds, as WCAG 2 counts it. */
    private static final String FAINT_COLOURS = """
            (() => {
              const light = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
                .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
              const value = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
              const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
              return ['ink', 'soft', 'link', 'hasp', 'peer', 'baseline', 'good', 'bad']
                .flatMap(text => ['paper', 'card'].map(on => [text + ' on ' + on, contrast(value(text), value(on))]))
                .filter(([, ratio]) => !(ratio >= 4.5)).map(([names]) => names);
            })()""";

    private static @Nullable Browser browser;
    private static Path page = Path.of("");

    @BeforeAll
    static void open(@TempDir(cleanup = CleanupMode.NEVER) Path folder) throws IOException {
        Optional<Path> program = Browser.installed();
        String reason = "no Chromium or Chrome on the PATH: the page is not looked at in a browser";
        if (program.isEmpty()) {
            System.out.println("PageInBrowserTest is skipped: " + reason);
        }
        Assumptions.assumeTrue(program.isPresent(), reason);
        page = Files.writeString(folder.resolve("report.html"), RealRun.html(RealRun.withGaps()));
        browser = new Browser(program.orElseThrow(), Files.createDirectory(folder.resolve("profile")));
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    private static Browser browser() {
        return Objects.requireNonNull(browser);
    }

    @ParameterizedTest
    @CsvSource({"390, light", "900, light", "1400, light", "390, dark", "1400, dark"})
    void it_fits_is_drawn_and_asks_nobody_for_anything(int width, String scheme) throws IOException {
        browser().show(page, width, scheme);

        picture(width + "-" + scheme);
        assertThat(browser().errors()).as("script errors").isEmpty();
        assertThat(browser().requests()).as("requests to others").isEmpty();
        assertThat(browser().evaluate("document.documentElement.scrollWidth").asInt())
                .as("nothing but tables is scrolled sideways")
                .isLessThanOrEqualTo(width);
        assertThat(browser().evaluate(BLANK_CHARTS)).as("blank charts").isEmpty();
        assertThat(browser()
                        .evaluate("[...document.querySelectorAll('canvas')].filter(c => c.offsetParent).length")
                        .asInt())
                .isPositive();
        assertThat(browser().evaluate(FAINT_COLOURS)).as("too little contrast").isEmpty();
    }

    @Test
    void the_first_screen_has_the_picture_and_every_answer() {
        browser().show(page, 1280, "light");

        assertThat(browser()
                        .evaluate("[...document.querySelectorAll('.answer li, .picture svg')]"
                                + ".map(e => Math.round(e.getBoundingClientRect().bottom))"))
                .hasSize(Need.ALL.size() + 1)
                .allSatisfy(bottom -> assertThat(bottom.asInt()).isBetween(1, 900));
    }

    @Test
    void every_link_leads_somewhere_and_everything_has_a_name() {
        browser().show(page, 900, "light");

        assertThat(browser().evaluate(DEAD_LINKS)).as("dead links").isEmpty();
        assertThat(browser().evaluate(WITHOUT_NAMES)).as("without a name").isEmpty();
        assertThat(browser().evaluate(SKIPPED_LEVELS))
                .as("headings that skip a level")
                .isEmpty();
    }

    @Test
    void a_chart_that_is_unfolded_is_drawn() {
        browser().show(page, 900, "light");

        browser().evaluate("document.querySelectorAll('details.more').forEach(d => { d.open = true; })");
        JsonNode blank = browser()
                .evaluate("new Promise(done => setTimeout(() => requestAnimationFrame(() => done(" + BLANK_CHARTS
                        + ")), 300))");

        assertThat(blank).isEmpty();
        assertThat(browser()
                        .evaluate("document.querySelectorAll('details.more canvas').length")
                        .asInt())
                .isPositive();
        assertThat(browser().errors()).isEmpty();
    }

    @Test
    void what_the_page_is_made_of_can_be_saved_from_it() throws IOException {
        browser().show(page, 900, "light");

        String link = browser()
                .evaluate("document.querySelector('a[download=\"results.json\"]').href")
                .asText();

        byte[] saved = Base64.getDecoder().decode(link.substring(link.indexOf(',') + 1));
        assertThat(ResultsFolder.json().readValue(saved, ResultsDocument.class)).isEqualTo(RealRun.withGaps());
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void on_paper_it_is_light_and_all_charts_are_there(String scheme) throws IOException {
        browser().show(page, 1400, scheme);

        byte[] pdf = Base64.getDecoder()
                .decode(browser()
                        .ask("Page.printToPDF", Map.of("printBackground", true))
                        .path("data")
                        .asText());
        Files.write(pictures().resolve("print-" + scheme + ".pdf"), pdf);
        browser().evaluate("dispatchEvent(new Event('beforeprint'))");

        assertThat(new String(pdf, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
        assertThat(browser().evaluate(BLANK_CHARTS)).isEmpty();
        assertThat(browser()
                        .evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')")
                        .asText())
                .isEqualTo("#fbfbf9");
        assertThat(browser()
                        .evaluate("[...document.querySelectorAll('canvas')].filter(c => !c.offsetParent).length")
                        .asInt())
                .as("charts that stay folded")
                .isZero();
        assertThat(browser().errors()).isEmpty();
    }

    private static void picture(String name) throws IOException {
        String data = browser()
                .ask("Page.captureScreenshot", Map.of("captureBeyondViewport", true))
                .path("data")
                .asText();
        Files.write(pictures().resolve(name + ".png"), Base64.getDecoder().decode(data));
    }

    private static Path pictures() throws IOException {
        return Files.createDirectories(Path.of("target", "page"));
    }
}

package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page {@code fabricctl report} writes, from files as a site has them. */
class ReportCommandTest {
    private static final String SHAPE = "2;4,6;1,3;1,1";

    @TempDir
    Path directory;

    private Path fabric;

    @BeforeEach
    void generate() {
        fabric = directory.resolve("fabric.txt");
        Ctl.run("topology", "generate", "--pgft", SHAPE, "--shuffle-guids", 3, "--out", fabric);
    }

    private String report(Object... words) throws IOException {
        Path page = directory.resolve("page.html");
        Object[] all = new Object[words.length + 3];
        all[0] = "report";
        System.arraycopy(words, 0, all, 1, words.length);
        all[words.length + 1] = "--out";
        all[words.length + 2] = page;
        Ctl ran = Ctl.run(all);
        assertThat(ran.err()).noneMatch(line -> line.startsWith("fabricctl report:"));
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEmpty();
        return Files.readString(page);
    }

    /** What a reader sees: no tags, entities resolved. */
    private static String text(String page) {
        return page.substring(page.indexOf("<body>"))
                .replaceAll("<[^>]*>", " ")
                .replace("&#39;", "'")
                .replace("&quot;", "\"")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&")
                .replaceAll("\\s+", " ");
    }

    @Test
    void shouldSayThatAWholeFabricIsHealthy() throws IOException {
        String page = report("--topology", fabric);

        assertThat(text(page))
                .contains("Healthy: nothing needs attention.")
                .contains("9 switches on 2 levels · 6 leaves · 24 host ports · 18 cables between switches")
                .contains("Exactly PGFT(2;4,6;1,3;1,1), recognised from the file.")
                .contains("Each of 3 switches above the leaves was taken out.");
        assertThat(page).doesNotContain("http:", "https:", "<script", "src=", "@import", "url(");
        assertThat(page).contains("default-src 'none'");
    }

    @Test
    void shouldGiveTheSamePageWhateverTheThreads() throws IOException {
        String one = report("--topology", fabric, "--fail-links", 4, "--threads", 1);

        assertThat(report("--topology", fabric, "--fail-links", 4, "--threads", 2))
                .isEqualTo(one);
    }

    @Test
    void shouldMeasureCongestionAsQualityDoes() throws IOException {
        Path tables = directory.resolve("minhop.lft");
        Ctl.run("route", "--topology", fabric, "--engine", "minhop", "--out", tables);

        String seen = text(report("--topology", fabric, "--lft", tables));

        assertThat(seen).contains("present tables, whole fabric " + figures("--lft", tables));
        assertThat(seen).contains("dmodc, whole fabric " + figures("--engine", "dmodc"));
        assertThat(seen).contains("Present tables are valid");
    }

    private String figures(Object... tables) throws IOException {
        Ctl ran = Ctl.run("quality", "--topology", fabric, tables[0], tables[1], "--format", "json");
        JsonNode quality = new ObjectMapper().readTree(ran.text());
        return quality.at("/a2a").asInt() + " " + quality.at("/rp").asInt() + " "
                + quality.at("/spMax").asInt() + " "
                + String.format("%.2f", quality.at("/spMean").asDouble());
    }

    /** Tables made before the damage lead to dead ports after it. */
    @Test
    void shouldNameWhatIsWrongWithADamagedFabricAndItsTables() throws IOException {
        Path tables = directory.resolve("old.lft");
        Ctl.run("route", "--topology", fabric, "--out", tables);
        Path cut = cutOff();
        Ctl verified = Ctl.run("topology", "verify", "--in", cut, "--design", SHAPE);

        String seen = text(report("--topology", cut, "--design", SHAPE, "--lft", tables));

        assertThat(seen).contains("Not healthy: 4 hosts are cut off; present tables are not valid.");
        assertThat(seen).contains("10 ordered pairs of leaves have no path", "leaf0 with 4 host ports");
        assertThat(seen).contains("every entry leads somewhere: fails").contains("has no live link");
        assertThat(verified.code()).isEqualTo(1);
        verified.out().stream()
                .filter(line -> line.matches(" +[0-9]+\\. .*"))
                .forEach(line -> assertThat(seen).contains(line.replaceFirst(" +[0-9]+\\. ", "")));
    }

    /** What is lost loads no port: the tables would look better than they are. */
    @Test
    void shouldNotCompareTablesThatLosePackets() throws IOException {
        Path tables = directory.resolve("old.lft");
        Ctl.run("route", "--topology", fabric, "--out", tables);

        String seen = text(report("--topology", fabric, "--fail-links", 3, "--lft", tables));

        assertThat(seen).contains("Congestion cannot be compared").contains("do not arrive with the present tables");
        assertThat(seen).contains("3 × cable missing");
    }

    /** All cables of leaf0 to other switches, taken out of the file. */
    private Path cutOff() throws IOException {
        String text = Files.readString(fabric);
        Matcher leaf =
                Pattern.compile("Switch\\t\\d+ \"(S-\\w+)\"\\t+# \"leaf0\"").matcher(text);
        assertThat(leaf.find()).isTrue();
        StringBuilder kept = new StringBuilder();
        boolean inside = false;
        for (String line : text.split("\n", -1)) {
            inside = line.startsWith("[") ? inside : line.contains("\"" + leaf.group(1) + "\"");
            boolean toLeaf =
                    line.startsWith("[") && line.contains("\t\"" + leaf.group(1) + "\"[") && !line.contains(")");
            if (!(toLeaf || (inside && line.contains("\"S-") && line.startsWith("[")))) {
                kept.append(line).append('\n');
            }
        }
        return Files.writeString(directory.resolve("cut.txt"), kept);
    }

    @Test
    void shouldShowNamesAsTextOnly() throws Exception {
        String evil = "<script>alert('x')</script>&\"\u202e\u0007";
        String text = Files.readString(fabric).replace("# \"l2s1\"", "# \"" + evil + "\"");
        Path renamed = Files.writeString(directory.resolve("<b>.txt"), text);

        String page = report("--topology", renamed, "--fail-links", 3);

        assertThat(page).doesNotContain("<script", "<b>", "\u202e", "\u0007");
        assertThat(text(page)).contains("<script>alert('x')</script>&\"");
        Matcher svg = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(page);
        assertThat(svg.find()).isTrue();
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.group().getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldGoOnWhereNoShapeCanBeGuessed() throws IOException {
        Path hostless = Files.writeString(
                directory.resolve("hostless.txt"),
                "Switch 1 \"S-01\"\n[1] \"S-02\"[1]\n\nSwitch 1 \"S-02\"\n[1] \"S-01\"[1]\n");

        String seen = text(report("--topology", hostless));

        assertThat(seen).contains("Compared with no shape: no switch has hosts");
        assertThat(seen).contains("No switch has hosts, so there are no ranks to draw.");
    }

    @Test
    void shouldDrawPodsWhereSwitchesAreMany() throws IOException {
        String page = report("--pgft", "3;1,16,10;1,4,4;1,1,1", "--fail-switches", 2);

        assertThat(text(page)).contains("Too many switches to draw one by one");
        assertThat(page).contains("<title>16 switches in 1 pod, 16 host ports, ");
        assertThat(text(page)).contains("As asked, 2 switches and 0 cables were taken out first.");
    }

    @Test
    void shouldLeaveAnOldPageWhenAnInputCannotBeRead() throws IOException {
        Path old = Files.writeString(directory.resolve("old.html"), "old");

        Ctl ran = Ctl.run("report", "--topology", fabric, "--lft", directory.resolve("none"), "--out", old);
        Ctl design = Ctl.run("report", "--topology", fabric, "--design", "3;4", "--out", old);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).singleElement().asString().contains("none: cannot be read (no such file)");
        assertThat(design)
                .isEqualTo(new Ctl(
                        2,
                        List.of(),
                        List.of("fabricctl report: '3;4' is not a PGFT; expected h;m1,..,mh;w1,..,wh;p1,..,ph")));
        assertThat(old).hasContent("old");
    }
}

package io.dmodc.settings.cli;

import io.dmodc.settings.BuildInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.IStyle;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Model.CommandSpec;

/**
 * One command as a manual page: the same words as its help, as roff with the man macros. No date is written, so the same
 * build gives the same bytes.
 */
final class ManPage {
    private static final char BOLD = '\u0001';
    private static final char ITALIC = '\u0002';
    private static final char ROMAN = '\u0003';
    /** What picocli puts behind each font: the terminal's reset, and a mark of nothing where an option may have none. */
    private static final Pattern CONTROL = Pattern.compile("\u001b\\[0m|\u0001 *\u0003(\u001b\\[0m)?");

    private static final Pattern NOT_ASCII = Pattern.compile("[^\\x00-\\x7f]");
    private static final ColorScheme FONTS = new ColorScheme.Builder(Ansi.ON)
            .commands(font(BOLD))
            .options(font(BOLD))
            .parameters(font(ITALIC))
            .optionParams(font(ITALIC))
            .build();

    private final CommandSpec spec;
    private final Help help;
    private final StringBuilder page = new StringBuilder();

    private ManPage(CommandSpec spec) {
        this.spec = spec;
        this.help = new Help(spec, FONTS);
    }

    /** The page's name without section, as {@code fabricctl-route}. */
    static String name(CommandSpec spec) {
        return spec.qualifiedName("-");
    }

    /** The command and all below it that help shows, each before its own. */
    static List<CommandSpec> tree(CommandSpec spec) {
        List<CommandSpec> tree = new ArrayList<>(List.of(spec));
        for (CommandLine child : spec.subcommands().values()) {
            if (!child.getCommandSpec().usageMessage().hidden()) {
                tree.addAll(tree(child.getCommandSpec()));
            }
        }
        return tree;
    }

    static String of(CommandSpec spec) {
        return new ManPage(spec).write();
    }

    private static IStyle font(char on) {
        return new IStyle() {
            @Override
            public String on() {
                return String.valueOf(on);
            }

            @Override
            public String off() {
                return String.valueOf(ROMAN);
            }
        };
    }

    private String write() {
        page.append(".TH \"%s\" 1 \"\" \"%s %s\" \"Fabric manager\"\n"
                .formatted(
                        roff(name(spec).toUpperCase(Locale.ROOT)),
                        roff(spec.root().name()),
                        roff(BuildInfo.read().version())));
        page.append(".nh\n.ad l\n");
        section("NAME");
        page.append(roff(name(spec))).append(" \\- ").append(roff(brief())).append('\n');
        section("SYNOPSIS");
        text(help.detailedSynopsis(0, null, true).replaceAll("\\s+", " ").strip());
        describe();
        options();
        commands();
        footer();
        section("EXIT STATUS");
        text("0: yes, or done. 1: the answer is no. 2: bad usage or input, told in one line on standard error.");
        seeAlso();
        return page.toString();
    }

    private void section(String title) {
        page.append(".SH ").append(title).append('\n');
    }

    private void text(String line) {
        page.append(roff(CONTROL.matcher(line).replaceAll(""))).append('\n');
    }

    private List<String> description() {
        return Arrays.stream(spec.usageMessage().description())
                .map(line -> rendered(line).strip())
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** Variables of picocli filled in, as help would. */
    private String rendered(String line) {
        return line.replace("${ROOT-COMMAND-NAME}", spec.root().name())
                .replace("%n", " ")
                .replace("%%", "%");
    }

    private String brief() {
        List<String> description = description();
        return description.isEmpty()
                ? spec.name()
                : description.get(0).replaceFirst("\\.(\\s.*)?$", "").replaceFirst(":$", "");
    }

    private void describe() {
        if (!description().isEmpty()) {
            section("DESCRIPTION");
            page.append(String.join(
                    ".PP\n",
                    description().stream().map(line -> roff(line) + "\n").toList()));
        }
    }

    private void options() {
        List<Text[][]> rows = new ArrayList<>();
        Help.IParamLabelRenderer labels = help.parameterLabelRenderer();
        spec.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .forEach(parameter ->
                        rows.add(help.createDefaultParameterRenderer().render(parameter, labels, FONTS)));
        listed("ARGUMENTS", rows);
        rows.clear();
        spec.options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> rows.add(help.createDefaultOptionRenderer().render(option, labels, FONTS)));
        listed("OPTIONS", rows);
    }

    /** Rows of picocli's layout: names in all columns but the last, text in the last. */
    private void listed(String title, List<Text[][]> rows) {
        if (rows.isEmpty()) {
            return;
        }
        section(title);
        for (Text[][] row : rows) {
            page.append(".TP\n");
            text(names(row[0]));
            for (Text[] line : row) {
                String said = line[line.length - 1].toString().strip();
                text(said.isEmpty() ? "\\&" : said);
            }
        }
    }

    private static String names(Text[] row) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < row.length - 1; i++) {
            names.append(row[i].toString());
        }
        return names.toString().strip().replaceAll("\\s*,\\s*(?=[\u0001-])", ", ");
    }

    private void commands() {
        List<CommandSpec> children = children();
        if (children.isEmpty()) {
            return;
        }
        section("COMMANDS");
        for (CommandSpec child : children) {
            page.append(".TP\n.B ").append(roff(child.name())).append('\n');
            text(new ManPage(child).brief() + ".");
        }
    }

    private List<CommandSpec> children() {
        return spec.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(child -> !child.usageMessage().hidden())
                .toList();
    }

    /** Lines that help prints last stand as they are. */
    private void footer() {
        List<String> lines = Arrays.stream(spec.usageMessage().footer())
                .filter(line -> !line.startsWith("Exit codes"))
                .dropWhile(String::isBlank)
                .toList();
        if (lines.isEmpty()) {
            return;
        }
        section("NOTES");
        page.append(".nf\n");
        lines.forEach(line -> text(rendered(line)));
        page.append(".fi\n");
    }

    private void seeAlso() {
        CommandSpec parent = spec.parent();
        List<CommandSpec> related =
                Stream.concat(Stream.ofNullable(parent), children().stream()).toList();
        if (related.isEmpty()) {
            return;
        }
        section("SEE ALSO");
        text(String.join(
                ", ",
                related.stream().map(each -> BOLD + name(each) + ROMAN + "(1)").toList()));
    }

    /** Makes text safe: no line becomes a request, a minus can be copied to a shell, fonts are switched. */
    private static String roff(String text) {
        String safe = text.equals("\\&")
                ? text
                : text.replace("\\", "\\e")
                        .replace("-", "\\-")
                        .replace("'", "\\(aq")
                        .replace("`", "\\(ga");
        String fonts = safe.replace(String.valueOf(BOLD), "\\fB")
                .replace(String.valueOf(ITALIC), "\\fI")
                .replace(String.valueOf(ROMAN), "\\fR")
                .replace("^", "\\(ha")
                .replace("~", "\\(ti");
        String ascii = NOT_ASCII
                .matcher(fonts)
                .replaceAll(letter -> Matcher.quoteReplacement(
                        "\\[u%04X]".formatted(letter.group().codePointAt(0))));
        return ascii.startsWith(".") ? "\\&" + ascii : ascii;
    }
}

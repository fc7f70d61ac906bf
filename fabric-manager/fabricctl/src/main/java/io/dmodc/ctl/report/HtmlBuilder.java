package io.dmodc.ctl.report;

import java.util.List;
import java.util.Locale;

/** Builds a page: tags are ours, all text is somebody's and is escaped on its way in. */
final class HtmlBuilder {
    private final StringBuilder out = new StringBuilder();

    /** Adds markup as it is; never a text from outside. */
    HtmlBuilder raw(String markup) {
        out.append(markup);
        return this;
    }

    /** Adds text, escaped; letters that would break lines or hide text become U+FFFD. */
    HtmlBuilder text(String text) {
        out.append(escape(text));
        return this;
    }

    /** An element that holds text only. */
    HtmlBuilder element(String tag, String text) {
        return raw("<" + tag + ">").text(text).raw("</" + tag.split(" ", 2)[0] + ">\n");
    }

    HtmlBuilder paragraph(String text) {
        return element("p", text);
    }

    /** A list; when it is long, the rest is folded away, and what is beyond {@code most} counted. */
    HtmlBuilder list(List<String> lines, int open, int most) {
        items(lines.subList(0, Math.min(open, lines.size())));
        if (lines.size() > open) {
            raw("<details><summary>")
                    .text("and " + number(lines.size() - open) + " more")
                    .raw("</summary>");
            items(lines.subList(open, Math.min(most, lines.size())));
            if (lines.size() > most) {
                paragraph(number(lines.size() - most) + " further ones are not listed.");
            }
            raw("</details>\n");
        }
        return this;
    }

    private void items(List<String> lines) {
        raw("<ul>\n");
        lines.forEach(line -> element("li", line));
        raw("</ul>\n");
    }

    /** Begins a table that scrolls by itself where the page is narrow. */
    HtmlBuilder table(String... header) {
        raw("<div class=\"scroll\"><table>\n<thead><tr>");
        for (String cell : header) {
            element("th", cell);
        }
        return raw("</tr></thead>\n<tbody>\n");
    }

    /** One row. */
    HtmlBuilder row(Object... cells) {
        return row("<tr>", cells);
    }

    /** One row that sums up those that follow. */
    HtmlBuilder strongRow(Object... cells) {
        return row("<tr class=\"strong\">", cells);
    }

    private HtmlBuilder row(String tag, Object... cells) {
        raw(tag);
        for (Object cell : cells) {
            boolean number = cell instanceof Number;
            String text =
                    cell instanceof Double d ? decimal(d) : number ? number(((Number) cell).longValue()) : "" + cell;
            raw(number || text.matches("[0-9][0-9.,–]*") ? "<td class=\"n\">" : "<td>")
                    .text(text)
                    .raw("</td>");
        }
        return raw("</tr>\n");
    }

    HtmlBuilder endTable() {
        return raw("</tbody></table></div>\n");
    }

    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String decimal(double number) {
        return String.format(Locale.ROOT, "%.2f", number);
    }

    /** {@code 1 leaf}, {@code 2 leaves}. */
    static String counted(long count, String one, String several) {
        return number(count) + " " + (count == 1 ? one : several);
    }

    static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(isShown(c) ? c : 0xfffd);
            }
        });
        return safe.toString();
    }

    /** Neither control characters, nor marks that turn the direction of the text around them. */
    private static boolean isShown(int c) {
        boolean direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
        return !Character.isISOControl(c) && !(c >= 0xd800 && c <= 0xdfff) && !direction;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}

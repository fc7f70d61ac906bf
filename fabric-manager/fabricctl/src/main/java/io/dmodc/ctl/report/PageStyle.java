package io.dmodc.ctl.report;

/** How the page looks: light and dark, narrow and wide, on paper. Colours never stand alone: signs and words go along. */
final class PageStyle {
    static final String CSS = """
            :root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1b2330; --soft: #5b6676; --line: #dbe0e7;
              --good: #17713f; --good-back: #e2f4e9; --attention: #8a5200; --attention-back: #fdf0d8; --bad: #b3202c;
              --bad-back: #fde6e7; --none: #5b6676; --none-back: #eceff3; --accent: #2458c5; --cable: #7b8aa0; --box: #d5deeb; }
            @media (prefers-color-scheme: dark) { :root { --page: #12161c; --card: #1a2029; --ink: #e6eaf0; --soft: #9aa6b6;
              --line: #303947; --good: #6fd69a; --good-back: #173325; --attention: #f3bd62; --attention-back: #38290f;
              --bad: #ff8a90; --bad-back: #40191d; --none: #9aa6b6; --none-back: #262e39; --accent: #86acff; --cable: #76859b;
              --box: #334052; } }
            * { box-sizing: border-box; }
            body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI",
              Roboto, "DejaVu Sans", sans-serif; }
            main, header, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
            header { padding-top: 2rem; }
            .kind { color: var(--soft); margin: 0; letter-spacing: .02em; }
            h1 { font-size: 1.7rem; line-height: 1.2; margin: .1rem 0 .3rem; overflow-wrap: anywhere; }
            h2 { font-size: 1.25rem; margin: 0 0 .5rem; }
            h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
            p { margin: .4rem 0; max-width: 52rem; }
            .facts { color: var(--soft); margin: 0 0 1.2rem; }
            section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.2rem 1.4rem;
              margin: 1.1rem 0; }
            .banner { display: flex; gap: .9rem; align-items: center; border-radius: 10px; padding: 1rem 1.3rem;
              font-size: 1.15rem; font-weight: 600; border: 1px solid; }
            .sign { display: inline-flex; flex: none; align-items: center; justify-content: center; width: 1.7em; height: 1.7em;
              border-radius: 50%; border: 2px solid; font-weight: 700; line-height: 1; }
            .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(13.5rem, 1fr)); gap: .8rem; margin: .9rem 0 0; }
            .card { display: block; border: 1px solid var(--line); border-left: 5px solid; border-radius: 8px; padding: .7rem .9rem;
              background: var(--card); color: inherit; text-decoration: none; }
            .card:hover { border-color: currentColor; }
            .card strong { display: block; line-height: 1.3; }
            .card span.more { color: var(--ink); font-size: .9rem; overflow-wrap: anywhere; }
            .good { color: var(--good); } .attention { color: var(--attention); } .bad { color: var(--bad); }
            .none { color: var(--none); }
            .banner.good { background: var(--good-back); } .banner.attention { background: var(--attention-back); }
            .banner.bad { background: var(--bad-back); } .banner.none { background: var(--none-back); }
            .scroll { overflow-x: auto; margin: .6rem 0; }
            table { border-collapse: collapse; font-size: .92rem; min-width: 24rem; }
            th { text-align: left; color: var(--soft); font-weight: 600; vertical-align: bottom; }
            th, td { padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); }
            td { vertical-align: top; } .strong td { font-weight: 600; } td.n { font-variant-numeric: tabular-nums; white-space: nowrap; }
            ul { margin: .4rem 0; padding-left: 1.3rem; } li { margin: .15rem 0; overflow-wrap: anywhere; }
            details { margin: .3rem 0; } summary { cursor: pointer; color: var(--accent); }
            .soft { color: var(--soft); } code { font-size: .92em; overflow-wrap: anywhere; }
            .bars { display: grid; grid-template-columns: max-content 1fr; gap: .25rem .8rem; align-items: center; max-width: 44rem;
              margin: .5rem 0 1rem; font-size: .92rem; }
            .bar { display: flex; align-items: center; gap: .5rem; } .bar i { display: block; height: .9rem; border-radius: 3px;
              background: var(--accent); min-width: 2px; } .bar i.now { background: var(--attention); }
            figure { margin: .8rem 0; } figcaption { color: var(--soft); font-size: .88rem; margin-top: .3rem; }
            svg { display: block; width: 100%; min-width: 44rem; height: auto; font: 12px system-ui, sans-serif; }
            svg text { fill: var(--ink); } svg .soft { fill: var(--soft); }
            .cable { stroke: var(--cable); stroke-opacity: .38; fill: none; } .switch { fill: var(--box); stroke: var(--soft); }
            .odd { fill: var(--attention-back); stroke: var(--attention); stroke-width: 2; }
            .out { fill: var(--bad-back); stroke: var(--bad); stroke-width: 2.5; }
            .wrong { stroke: var(--bad); stroke-width: 2; fill: none; }
            .lacking { stroke: var(--attention); stroke-width: 2; stroke-dasharray: 6 4; fill: none; }
            .cross { stroke: var(--bad); stroke-width: 2.5; }
            footer { color: var(--soft); font-size: .85rem; padding-bottom: 2.5rem; }
            @media (max-width: 40rem) { section { padding: 1rem; } h1 { font-size: 1.35rem; } .banner { font-size: 1.05rem; } }
            @media print { :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --box: #e6ebf2;
              --good: #17713f; --good-back: #fff; --attention: #8a5200; --attention-back: #fff; --bad: #b3202c; --bad-back: #fff;
              --none: #444; --none-back: #fff; --accent: #2458c5; --cable: #7b8aa0; }
              body { font-size: 10.5pt; } main, header, footer { max-width: none; padding: 0; }
              section { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: .6rem 0; }
              h2, h3 { break-after: avoid; } tr, .card, figure, .bars { break-inside: avoid; } svg { min-width: 0; }
              details::details-content { content-visibility: visible; block-size: auto; } .scroll { overflow: visible; }
              .bar i, .switch { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
            """;

    private PageStyle() {}
}

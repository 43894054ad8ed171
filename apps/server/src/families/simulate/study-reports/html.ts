import { createHash } from 'node:crypto'
import { canonicalize } from '@liquidity-os/evidence'
import { drawFigure } from '../../../drawing/draw-figure.ts'
import type { ReportFigure, ReportTable } from '../../../drawing/figure.ts'
import { escapeXml, pictureToSvg } from '../../../drawing/svg.ts'
import { cellText, headingOf, isNumeric } from '../../../reports/cell-text.ts'
import { chartTermsOf, factsOf, stateWords, tablesInOrder } from './report-words.ts'
import type { HashedReport } from './study-report.ts'

/** Rows of a figure's data that the page shows; the signed body has all. */
const shownRows = 120

const style = `
:root { color-scheme: light; --ink: #1a1a1a; --faint: #595959; --line: #d4d4d4 }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 32px 20px 64px; max-width: 820px; color: var(--ink); background: #fff;
  font: 15px/1.5 'DejaVu Sans', Verdana, Arial, sans-serif }
h1 { font-size: 26px; line-height: 1.25; margin: 4px 0 12px } h2 { font-size: 19px; margin: 40px 0 12px; padding-top: 12px; border-top: 2px solid var(--ink) }
h3 { font-size: 15.5px; margin: 0 0 4px }
p, ul { margin: 0 0 10px } .kind { color: var(--faint); margin: 0 } .headline { font-size: 18px; margin: 0 0 14px }
.state { display: inline-block; border: 1.5px solid var(--ink); border-radius: 3px; padding: 1px 8px; font-weight: bold; margin-bottom: 12px }
.COMPLETED { background: #e6f2ec } .PARTIAL { background: #fdf3dc } .ABSTAINED { background: #f6dfd6 }
figure { margin: 0 0 34px; break-inside: avoid } figure svg { display: block; width: 100%; height: auto; margin: 8px 0 }
figcaption { color: var(--faint); font-size: 13px } .hash { font-family: 'DejaVu Sans Mono', Consolas, monospace; font-size: 11px; overflow-wrap: anywhere }
.scroll { overflow-x: auto; margin: 0 0 26px } table { border-collapse: collapse; font-size: 12.5px; width: 100% }
tbody th { font-weight: normal } caption { text-align: left; font-weight: bold; font-size: 15.5px; padding: 0 0 6px }
th, td { border-bottom: 1px solid var(--line); padding: 4px 8px 4px 0; text-align: left; vertical-align: top; overflow-wrap: break-word }
thead th { border-bottom: 1.5px solid var(--ink); font-weight: bold } .n { text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: normal; white-space: nowrap }
thead .n { white-space: normal } details { margin: 6px 0 } summary { cursor: pointer; font-size: 13px } pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 11px; border: 1px solid var(--line); padding: 10px }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 16px; margin: 0 0 16px; font-size: 13.5px } dt { color: var(--faint) } dd { margin: 0; overflow-wrap: anywhere }
@page { size: A4; margin: 16mm 14mm }
@media print { body { max-width: none; padding: 0; font-size: 10pt } h2 { break-after: avoid } details { display: none } table { font-size: 8pt } th, td { padding: 2px 6px 2px 0 } tr { break-inside: avoid } .scroll { overflow: visible } }
`

/** The policy of the page: nothing but this one style sheet. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** The report as one page: no script, nothing from elsewhere, to be read, printed and kept. */
export function reportToHtml(report: HashedReport): string {
  const { name, kind, state, headline, findings, figures } = report
  const { leading, further } = tablesInOrder(report)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeXml(name)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="kind">Study report · ${escapeXml(kind)}</p>
<h1>${escapeXml(name)}</h1>
<p class="state ${state}">${escapeXml(stateWords(report))}</p>
<p class="headline">${escapeXml(headline)}</p>
<ul>
${findings.map((text) => `<li>${escapeXml(text)}</li>`).join('\n')}
</ul>
${facts(factsOf(report))}
${section('Results', leading, report)}
${figures.length > 0 ? '<h2>Pictures</h2>' : ''}
${figures.map((figure) => figureToHtml(figure, report)).join('\n')}
${section('Further tables', further, report)}
${assumptions(report)}
${gaps(report)}
${reproduction(report)}
${verification(report)}
</main>
</body>
</html>
`
}

const facts = (pairs: readonly (readonly [string, string])[]) =>
  `<dl>\n${pairs.map(([term, text]) => `<dt>${escapeXml(term)}</dt><dd${/^0x[0-9a-f]{64}$/.test(text) ? ' class="hash"' : ''}>${escapeXml(text)}</dd>`).join('\n')}\n</dl>`

const section = (title: string, tables: readonly ReportTable[], report: HashedReport) =>
  tables.length === 0
    ? ''
    : `<h2>${title}</h2>\n${tables.map((table) => tableToHtml(table, report)).join('\n')}`

function figureToHtml(figure: ReportFigure, report: HashedReport): string {
  const { id, title, description, dataHash, rows } = figure
  const svg = pictureToSvg(drawFigure(figure, chartTermsOf(report)))
  const shown = rows.slice(0, shownRows)
  const more =
    rows.length > shown.length
      ? `<p>The first ${shown.length} of ${rows.length} rows; all are in the JSON and CSV of this report.</p>`
      : ''
  const data = tableToHtml({ ...figure, title: `Data of: ${title}`, rows: shown }, report)
  return `<figure id="figure-${escapeXml(id)}">
<h3>${escapeXml(title)}</h3>
${svg.trimEnd()}
<figcaption>${escapeXml(description)}<br>Data <span class="hash">${escapeXml(dataHash)}</span></figcaption>
<details><summary>Data, ${rows.length} rows</summary>
${data}
${more}</details>
</figure>`
}

function tableToHtml(
  { title, columns, rows }: Pick<ReportTable, 'title' | 'columns' | 'rows'>,
  { pair }: HashedReport,
): string {
  const kinds = columns.map((column) => (isNumeric(column) ? ' class="n"' : ''))
  const head = columns.map(
    (column, at) => `<th scope="col"${kinds[at]}>${escapeXml(headingOf(column))}</th>`,
  )
  const body = rows.map((row) => {
    const cells = columns.map((column, at) => {
      // Names such as PRICE_SETTING may be cut where they are joined.
      const text = escapeXml(cellText(row[at] ?? null, column, pair)).replaceAll('_', '_<wbr>')
      // The first cell names its row.
      return at === 0 ? `<th scope="row"${kinds[at]}>${text}</th>` : `<td${kinds[at]}>${text}</td>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  return `<div class="scroll" role="region" aria-label="${escapeXml(title)}" tabindex="0"><table>
<caption>${escapeXml(title)}</caption>
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table></div>`
}

function plainTable(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  report: HashedReport,
): string {
  const columns = heads.map((name) => ({ name, unit: 'TEXT' as const }))
  return tableToHtml({ title, columns, rows: rows.map((row) => [...row]) }, report)
}

function assumptions(report: HashedReport): string {
  if (report.assumptions.length === 0) return ''
  const rows = report.assumptions.map(({ code, value, source }) => [code, value, source])
  return `<h2>Assumptions</h2>\n${plainTable('What was assumed', ['assumption', 'value', 'source'], rows, report)}`
}

function gaps(report: HashedReport): string {
  if (report.gaps.length === 0) return '<h2>Gaps</h2>\n<p>None are known.</p>'
  const rows = report.gaps.map(({ code, detail, fromBlock, toBlock }) => [
    code,
    detail,
    fromBlock === undefined ? '–' : `${fromBlock} to ${toBlock ?? '?'}`,
  ])
  return `<h2>Gaps</h2>\n${plainTable('What is missing', ['gap', 'meaning', 'blocks'], rows, report)}`
}

function reproduction(report: HashedReport): string {
  const { reproduction: recipe } = report
  const rows = [
    ...recipe.inputs.map(({ name, hash }) => [name, hash]),
    ...recipe.series.map(({ name, hash }) => [`series ${name}`, hash]),
    ...recipe.blocks.map(({ chainId, number, hash }) => [
      `block ${number} of chain ${chainId}`,
      hash,
    ]),
  ]
  return `<h2>Do it again</h2>
<p>The same specification on the same inputs with the same engine gives the same result, byte for byte.</p>
${facts([
  ['specification', recipe.specHash],
  ['result', recipe.resultHash],
  ['engine', `${recipe.engineVersion}, build ${recipe.engineBuildHash}`],
  ['seed', recipe.seed ?? 'none'],
])}
${plainTable('Inputs, series and blocks', ['what', 'hash'], rows, report)}
<details><summary>Specification</summary><pre>${escapeXml(canonicalize(recipe.spec))}</pre></details>`
}

function verification({ contentHash }: HashedReport): string {
  return `<h2>Check it</h2>
<p>This page shows a signed report. The signature is in its JSON, which names the hash of this page; anyone can check both without asking the service:</p>
<pre>liquidity verify-report report.json --rendering report.html --key PUBLIC_KEY</pre>
<p>Content <span class="hash">${escapeXml(contentHash)}</span></p>`
}

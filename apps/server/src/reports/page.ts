import { createHash } from 'node:crypto'
import { type ChartTerms, drawFigure, pictureToSvg } from '@liquidity-os/drawing'
import { escapeXml } from '@liquidity-os/drawing/markup'
import type { ReportFigure, ReportTable, StudyReport } from '../drawing/figure.ts'
import { cellText, headingOf, isNumeric } from './cell-text.ts'

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

/** Content security policy of a page: only this style sheet. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** A printable page without scripts or external resources. */
export function pageOf(title: string, lines: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeXml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${lines.join('\n')}
</main>
</body>
</html>
`
}

/** Names with their values; a hash is set apart. */
export const facts = (pairs: readonly (readonly [string, string])[]) =>
  `<dl>\n${pairs.map(([term, text]) => `<dt>${escapeXml(term)}</dt><dd${/^0x[0-9a-f]{64}$/.test(text) ? ' class="hash"' : ''}>${escapeXml(text)}</dd>`).join('\n')}\n</dl>`

interface Decimals {
  readonly pair: Pick<StudyReport['pair'], 'baseDecimals' | 'quoteDecimals'>
}

export function tableToHtml(
  { title, columns, rows }: Pick<ReportTable, 'title' | 'columns' | 'rows'>,
  { pair }: Decimals,
): string {
  const kinds = columns.map((column) => (isNumeric(column) ? ' class="n"' : ''))
  const head = columns.map(
    (column, at) => `<th scope="col"${kinds[at]}>${escapeXml(headingOf(column))}</th>`,
  )
  const body = rows.map((row) => {
    const cells = columns.map((column, at) => {
      // Names such as PRICE_SETTING may break at underscores.
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

/** Rows of a figure's data that a page shows; the signed body has all. */
const shownRows = 120

/** A figure: chart, text and data rows. */
export function figureToHtml(figure: ReportFigure, terms: ChartTerms): string {
  const { id, title, description, dataHash, rows } = figure
  const svg = pictureToSvg(drawFigure(figure, terms))
  const shown = rows.slice(0, shownRows)
  const more =
    rows.length > shown.length
      ? `<p>The first ${shown.length} of ${rows.length} rows; all are in the JSON and CSV of this report.</p>`
      : ''
  const data = tableToHtml({ ...figure, title: `Data of: ${title}`, rows: shown }, { pair: terms })
  return `<figure id="figure-${escapeXml(id)}">
<h3>${escapeXml(title)}</h3>
${svg.trimEnd()}
<figcaption>${escapeXml(description)}<br>Data <span class="hash">${escapeXml(dataHash)}</span></figcaption>
<details><summary>Data, ${rows.length} rows</summary>
${data}
${more}</details>
</figure>`
}

export function plainTable(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  report: Decimals,
): string {
  const columns = heads.map((name) => ({ name, unit: 'TEXT' as const }))
  return tableToHtml({ title, columns, rows: rows.map((row) => [...row]) }, report)
}

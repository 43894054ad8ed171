import { escapeXml } from '@liquidity-os/drawing/markup'
import { canonicalize } from '@liquidity-os/evidence'
import type { ReportTable } from '../../../drawing/figure.ts'
import { facts, figureToHtml, pageOf, plainTable, tableToHtml } from '../../../reports/page.ts'
import { simulatedLines } from '../../../reports/simulated.ts'
import { chartTermsOf, factsOf, stateWords, tablesInOrder } from './report-words.ts'
import type { HashedReport } from './study-report.ts'

/**
 * The report as a single page without scripts and external resources, for reading, printing and
 * archiving.
 */
export function reportToHtml(report: HashedReport): string {
  const { name, kind, state, headline, findings, figures } = report
  const { leading, further } = tablesInOrder(report)
  return pageOf(name, [
    `<p class="kind">Study report · ${escapeXml(kind)}</p>`,
    `<h1>${escapeXml(name)}</h1>`,
    `<p class="state ${state}">${escapeXml(stateWords(report))}</p>`,
    ...simulatedLines(report.simulated),
    `<p class="headline">${escapeXml(headline)}</p>`,
    '<ul>',
    findings.map((text) => `<li>${escapeXml(text)}</li>`).join('\n'),
    '</ul>',
    facts(factsOf(report)),
    section('Results', leading, report),
    figures.length > 0 ? '<h2>Pictures</h2>' : '',
    figures.map((figure) => figureToHtml(figure, chartTermsOf(report))).join('\n'),
    section('Additional tables', further, report),
    assumptions(report),
    gaps(report),
    reproduction(report),
    verification(report),
  ])
}

const section = (title: string, tables: readonly ReportTable[], report: HashedReport) =>
  tables.length === 0
    ? ''
    : `<h2>${title}</h2>\n${tables.map((table) => tableToHtml(table, report)).join('\n')}`

function assumptions(report: HashedReport): string {
  if (report.assumptions.length === 0) return ''
  const rows = report.assumptions.map(({ code, value, source }) => [code, value, source])
  return `<h2>Assumptions</h2>\n${plainTable('Assumptions and sources', ['assumption', 'value', 'source'], rows, report)}`
}

function gaps(report: HashedReport): string {
  if (report.gaps.length === 0) return '<h2>Gaps</h2>\n<p>No known gaps.</p>'
  const rows = report.gaps.map(({ code, detail, fromBlock, toBlock }) => [
    code,
    detail,
    fromBlock === undefined ? '–' : `${fromBlock} to ${toBlock ?? '?'}`,
  ])
  return `<h2>Gaps</h2>\n${plainTable('Missing data', ['gap', 'meaning', 'blocks'], rows, report)}`
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

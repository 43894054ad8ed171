import { escapeXml } from '@liquidity-os/drawing/markup'
import type { ReportTable } from '../../../drawing/figure.ts'
import { facts, figureToHtml, pageOf, plainTable, tableToHtml } from '../../../reports/page.ts'
import { simulatedLines } from '../../../reports/simulated.ts'
import type { HashedSharedReport } from './shared-report.ts'
import { type Shared, sharedFacts, sharedProof, sharedState, sharedTerms } from './shared-words.ts'

/**
 * HTML page of a share, with exactly the fields of its JSON.
 *
 * @param url page URL, also the base of the JSON and the renderings
 */
export function sharedPage(report: HashedSharedReport, url: string): string {
  return pageOf(report.study.name, [
    ...bodyOf(report),
    '<h2>Downloads</h2>',
    ...links(report, url),
    '<h2>API</h2>',
    `<p>The same fields as JSON:</p>\n<pre>curl -H 'accept: application/json' ${escapeXml(url)}</pre>`,
  ])
}

/** Archivable version: a file whose hash is in the signed body. */
export function sharedReportToHtml(report: HashedSharedReport): string {
  return pageOf(report.study.name, [
    ...bodyOf(report),
    '<h2>Verification</h2>',
    '<p>This page shows a signed report of the shared data. The signature is in its JSON, which contains the hash of this page. Anyone can verify both offline:</p>',
    '<pre>liquidity verify-report report.json --rendering report.html --key PUBLIC_KEY</pre>',
    `<p>Content <span class="hash">${escapeXml(report.contentHash)}</span></p>`,
  ])
}

function bodyOf(report: HashedSharedReport): string[] {
  const { study, headline, figures } = report
  const { name, kind, state, superseded } = study
  const terms = sharedTerms(study)
  return [
    `<p class="kind">Shared study · ${escapeXml(kind)}</p>`,
    `<h1>${escapeXml(name)}</h1>`,
    `<p class="state ${state}">${escapeXml(sharedState(study))}</p>`,
    ...simulatedLines(study.simulated),
    `<p class="headline">${escapeXml(headline)}</p>`,
    ...(superseded ? ['<p>A newer version of this study exists.</p>'] : []),
    facts(sharedFacts(study)),
    ...results(report.tables, terms),
    ...(figures.length > 0 ? ['<h2>Pictures</h2>'] : []),
    ...figures.map((figure) => figureToHtml(figure, terms)),
    '<h2>Sources and assumptions</h2>',
    facts(sharedProof(study)),
    ...assumptions(study),
  ]
}

function results(tables: readonly ReportTable[], terms: ReturnType<typeof sharedTerms>): string[] {
  if (tables.length === 0) return ['<h2>Results</h2>', '<p>No candidate has figures.</p>']
  return ['<h2>Results</h2>', ...tables.map((table) => tableToHtml(table, { pair: terms }))]
}

/** Links to the renderings, which disappear with the share link. */
function links({ figures, study }: HashedSharedReport, url: string): string[] {
  const formats = { html: 'page', pdf: 'PDF', csv: 'tables (CSV)', json: 'signed body (JSON)' }
  const series = [
    ...(study.prices.length > 0 ? ['prices'] : []),
    ...study.series.map(({ armId, flowModel }) => `${armId}.${flowModel}`),
  ]
  const lists = [
    [
      'Report files',
      Object.entries(formats).map(([format, words]) => [`reports/${format}`, words]),
    ],
    ['Charts', figures.map(({ id, title }) => [`pictures/${id}.svg`, title])],
    ['Series', series.map((name) => [`series/${name}?as=csv`, name])],
  ] as const
  return lists.flatMap(([title, places]) =>
    places.length === 0
      ? []
      : [`<p>${title}:</p>`, `<ul>\n${places.map((place) => link(url, place)).join('\n')}\n</ul>`],
  )
}

const link = (url: string, [path = '', words = '']: readonly string[]) =>
  `<li><a href="${escapeXml(`${url}/${path}`)}">${escapeXml(words)}</a></li>`

function assumptions({ assumptions: assumed }: Shared): string[] {
  if (!assumed || assumed.length === 0) return []
  const rows = assumed.map(({ code, value, source }) => [code, value, source])
  const pair = { baseDecimals: 0, quoteDecimals: 0 }
  return [plainTable('Assumptions', ['assumption', 'value', 'source'], rows, { pair })]
}

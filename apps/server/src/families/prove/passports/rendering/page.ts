import { createHash } from 'node:crypto'
import type { SimulatedMarket } from '@liquidity-os/contract/test-networks'
import { pictureToSvg } from '@liquidity-os/drawing'
import { escapeXml } from '@liquidity-os/drawing/markup'
import { depthPicture } from './depth-chart.ts'
import {
  brandWords,
  claimRows,
  type Pair,
  type Payload,
  quoteWords,
  slippageWords,
  sourceRows,
  timeWords,
} from './words.ts'

const style = `
:root { color-scheme: light; --ink: #1a1a1a; --faint: #595959; --line: #dcdcdc }
* { box-sizing: border-box }
body { margin: 0; color: var(--ink); background: #f4f4f1; font: 16px/1.5 'DejaVu Sans', Verdana, Arial, sans-serif }
main { max-width: 720px; margin: 0 auto; background: #fff; min-height: 100vh; padding: 0 0 48px }
section { padding: 0 18px } h1 { font-size: 25px; line-height: 1.2; margin: 18px 0 2px; overflow-wrap: anywhere }
h2 { font-size: 17px; margin: 30px 0 8px; padding-top: 12px; border-top: 2px solid var(--ink) } p { margin: 0 0 10px }
.kind { color: var(--faint); font-size: 13px; margin: 18px 0 0 } .band { padding: 12px 18px; font-weight: bold; font-size: 17px; border-bottom: 2px solid var(--ink) }
.band small { display: block; font-weight: normal; font-size: 13.5px } .CURRENT { background: #d9eee2 } .EXPIRED, .STALE_CONTROL, .STALE_SCORE, .SIMULATED { background: #fbe9c6 } .REVOKED { background: #f3cfc2 } .ISSUED { background: #e4e9ee }
dl { margin: 0 } dl div { display: flex; justify-content: space-between; gap: 14px; padding: 7px 0; border-bottom: 1px solid var(--line) }
dt { color: var(--faint); font-size: 14px } dd { margin: 0; text-align: right; font-weight: bold; font-size: 14px; overflow-wrap: anywhere; max-width: 62% } .withheld dd { font-weight: normal; font-style: italic; color: var(--faint) }
figure { margin: 6px 0 0 } figure svg { display: block; width: 100%; max-width: 520px; height: auto }
table { border-collapse: collapse; width: 100%; font-size: 14px } caption { text-align: left; color: var(--faint); font-size: 13px } th, td { text-align: right; padding: 5px 0 5px 8px; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums } th:first-child, td:first-child { text-align: left; padding-left: 0 } thead th { font-weight: normal; color: var(--faint) }
.small dt, .small dd { font-size: 12px; font-weight: normal } .hash, code, pre { font-family: 'DejaVu Sans Mono', Consolas, monospace; font-size: 11.5px; overflow-wrap: anywhere } pre { white-space: pre-wrap; background: #f4f4f1; padding: 10px; border: 1px solid var(--line); margin: 0 0 10px }
ul { margin: 0; padding-left: 20px } a { color: #00508a }
@media print { body, main { background: #fff } main { max-width: none } }
`

/** Content security policy: allows only this inline style sheet. */
export const passportPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** Banner above the claims: the current state, or the state when the file was created. */
export interface Band {
  readonly css: string
  readonly words: string
  readonly detail: string
}

/** Standalone page of a passport, without scripts or external resources. */
export function passportPage(
  payload: Payload | null,
  pair: Pair,
  about: {
    readonly title: string
    readonly subtitle: string
    readonly band: Band
    /** Null for a mainnet market. */
    readonly simulated: SimulatedMarket | null
    readonly after: readonly string[]
    /** Host that the partner of its brand has proven. */
    readonly brandHost: string | null
  },
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${passportPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(about.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<div class="band ${about.band.css}" role="status">${escapeXml(about.band.words)}<small>${escapeXml(about.band.detail)}</small></div>
${about.simulated ? `<div class="band SIMULATED">${escapeXml(about.simulated.mark)}<small>${escapeXml(about.simulated.words)}</small></div>\n` : ''}<section>
<p class="kind">Liquidity passport</p>
<h1>${escapeXml(about.title)}</h1>
<p class="kind">${escapeXml(about.subtitle)}</p>
${[...(payload?.reportBrand ? [brandLine(payload.reportBrand, about.brandHost)] : []), ...(payload ? claims(payload, pair) : []), ...about.after].join('\n')}
</section>
</main>
</body>
</html>
`
}

/**
 * Brand name and color. The page has no external resources, so the logo appears only by its hash in
 * the source list.
 */
function brandLine(brand: NonNullable<Payload['reportBrand']>, host: string | null): string {
  const swatch = `<svg width="14" height="14" aria-hidden="true"><rect width="14" height="14" fill="${escapeXml(brand.accentColor)}"/></svg>`
  return `<p class="kind">${swatch} ${escapeXml(brandWords(brand, host))}</p>`
}

function claims(payload: Payload, pair: Pair): string[] {
  const picture = depthPicture(payload, pair)
  const rows = payload.usableDepthByTradeSize.map(
    ({ tradeSizeQuote, buySlippagePips, sellSlippagePips }) =>
      `<tr><th scope="row">${escapeXml(quoteWords(tradeSizeQuote, pair))}</th><td>${escapeXml(slippageWords(buySlippagePips))}</td><td>${escapeXml(slippageWords(sellSlippagePips))}</td></tr>`,
  )
  return [
    `<h2>${escapeXml(picture.title)}</h2>`,
    `<figure>${pictureToSvg(picture).trimEnd()}</figure>`,
    `<table><caption>Against the mid price, at the block that is named below.</caption><thead><tr><th scope="col">Size</th><th scope="col">Buying</th><th scope="col">Selling</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
    '<h2>Claims of the issuer</h2>',
    '<p class="kind">The service recomputed each figure before publication.</p>',
    rowsToHtml(claimRows(payload, pair)),
    '<h2>Sources</h2>',
    rowsToHtml(
      [
        ['Issued', timeWords(payload.generatedAt)],
        ['Valid until', timeWords(payload.validUntil)],
        ...sourceRows(payload),
      ],
      'small',
    ),
  ]
}

/** Table of names and values; withheld values are styled differently. */
export function rowsToHtml(rows: readonly (readonly [string, string])[], css = ''): string {
  const lines = rows.map(([name, value]) => {
    const isWithheld = value.startsWith('not disclosed') || value.startsWith('not measurable')
    const isHash = /0x[0-9a-f]{64}|[0-9a-f]{64}/.test(value)
    return `<div${isWithheld ? ' class="withheld"' : ''}><dt>${escapeXml(name)}</dt><dd${isHash ? ' class="hash"' : ''}>${escapeXml(value)}</dd></div>`
  })
  return `<dl${css ? ` class="${css}"` : ''}>${lines.join('\n')}</dl>`
}

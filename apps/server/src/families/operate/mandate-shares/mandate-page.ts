import { createHash } from 'node:crypto'
import type { contract } from '@liquidity-os/contract'
import {
  countsText,
  inconclusiveReasons,
  type KpiFormat,
  measuredText,
  observedText,
  promiseText,
  trustTexts,
  verdictTexts,
} from '@liquidity-os/contract/mandate-words'
import { basePath } from '@liquidity-os/contract/outline'
import { escapeXml } from '@liquidity-os/drawing/markup'
import { decimalText } from '../../../reports/cell-text.ts'
import { simulatedLines } from '../../../reports/simulated.ts'

type SharedMandate = contract.SharedMandate
type HourState = SharedMandate['days'][number]['bid'][number]

const style = `
:root { color-scheme: light dark; --ink: #1a1a1a; --faint: #595959; --line: #d4d4d4; --paper: #fff; --met: #009e73; --good: #00704f; --bad: #b3261e; --gap: #767676 }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --faint: #a8a8a8; --line: #3c3c3c; --paper: #161616; --met: #1fb58a; --good: #1fb58a; --bad: #f2836f; --gap: #9a9a9a } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 32px 20px 64px; max-width: 860px; color: var(--ink); background: var(--paper); font: 15px/1.5 'DejaVu Sans', Verdana, Arial, sans-serif }
h1 { font-size: 26px; line-height: 1.25; margin: 4px 0 8px; overflow-wrap: anywhere } h2 { font-size: 18px; margin: 36px 0 8px }
p, ul { margin: 0 0 10px } .kind, .note { color: var(--faint); font-size: 13px } .kind { margin: 0 } .headline { font-size: 18px; margin: 14px 0 0 }
.state { display: inline-block; border: 1.5px solid currentColor; border-radius: 3px; padding: 1px 8px; font-weight: bold; font-size: 13px }
.kpis { list-style: none; padding: 0 } .kpis li { display: grid; grid-template-columns: 124px 1fr; gap: 2px 12px; padding: 10px 0; border-bottom: 1px solid var(--line) }
.kpis small { grid-column: 2; color: var(--faint); font-size: 13px } .kpis b { font-weight: bold }
.kpis .MET { color: var(--good) } .kpis .BREACHED { color: var(--bad) } .kpis .INDETERMINATE { color: var(--faint) }
.hours { display: grid; gap: 2px } .hours > div { display: grid; grid-template-columns: 52px repeat(24, 1fr); gap: 2px; align-items: center }
.hours span { font-size: 11px; color: var(--faint); font-variant-numeric: tabular-nums } .hours i, .key i { display: block; height: 14px; border-radius: 2px }
.hours .scale span { text-align: center } .hours .scale span:first-child { text-align: left }
i.MET { background: var(--met) } i.BREACHED { background: repeating-linear-gradient(45deg, var(--bad) 0 4px, var(--paper) 4px 6px); outline: 1.5px solid var(--bad); outline-offset: -1.5px }
i.GAP { background: repeating-linear-gradient(-45deg, var(--gap) 0 1px, transparent 1px 4px); outline: 1px solid var(--gap); outline-offset: -1px } i.EXCLUDED { background: var(--line) } i.AHEAD { outline: 1px solid var(--line); outline-offset: -1px }
.key { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 10px 0 0; padding: 0; list-style: none; font-size: 12px; color: var(--faint) } .key li { display: flex; align-items: center; gap: 6px } .key i { width: 18px }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: 13px } th, td { text-align: left; vertical-align: top; padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line) } thead th { color: var(--faint); font-weight: normal }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 11.5px; border: 1px solid var(--line); padding: 10px }
@media (max-width: 560px) { .kpis li { grid-template-columns: 1fr } .kpis small { grid-column: 1 } .hours > div { grid-template-columns: 40px repeat(24, 1fr); gap: 1px } .hours { gap: 1px } }
`

/** Content security policy of the page: only its style sheet. */
export const mandatePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`

interface Address {
  readonly slug: string
  readonly baseUrl: string
}

/** Page of a shared mandate, with exactly the fields of its JSON. */
export function mandatePage(mandate: SharedMandate, { slug, baseUrl }: Address): string {
  const { title, marketMaker, status, period, asOf, expiresAt, evaluations } = mandate
  const { base, quote } = symbolsOf(mandate)
  const json = `${baseUrl}${basePath}/public/mandates/${slug}`
  return shell(title, [
    '<p class="kind">Shared market-maker mandate</p>',
    `<h1>${escapeXml(title)}</h1>`,
    `<p>${escapeXml(`${marketMaker} · ${base}/${quote} · ${dayText(period.from)} to ${dayText(period.to)}`)}</p>`,
    ...(status === 'ACTIVE'
      ? []
      : [`<p class="state">${escapeXml(statusTexts[status] ?? status)}</p>`]),
    ...simulatedLines(mandate.simulated),
    ...(mandate.kpis.length === 0
      ? []
      : [`<p class="headline">${escapeXml(countsText(evaluations))}</p>`]),
    ...kpis(mandate),
    ...hours(mandate),
    ...table(
      'Data gaps',
      ['From', 'To', 'Reason'],
      mandate.gaps.map(({ from, to, reason }) => [
        timeText(from),
        timeText(to),
        reason === 'NO_SAMPLE' ? 'No samples' : 'Too few samples',
      ]),
    ),
    ...table(
      'Agreed exclusions',
      ['From', 'To', 'Reason'],
      mandate.exclusions.map(({ from, to, reason }) => [timeText(from), timeText(to), reason]),
    ),
    '<h2>About this page</h2>',
    `<p>As of ${timeText(asOf)}. The link works until ${timeText(expiresAt)}. The page shows no compensation and no wallets.</p>`,
    `<p>The same data as JSON:</p>\n<pre>curl ${escapeXml(json)}</pre>`,
  ])
}

/** Page of an error: the fact and its remedy. */
export const failurePage = (message: string, remediation: string): string =>
  shell('Mandate unavailable', [
    '<h1>Mandate unavailable</h1>',
    `<p>${escapeXml(message)}</p>`,
    `<p>${escapeXml(remediation)}</p>`,
  ])

const shell = (title: string, lines: readonly string[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${mandatePolicy}">
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

const statusTexts: Readonly<Record<string, string>> = {
  PAUSED: 'Paused',
  REVOKED: 'Revoked',
  COMPLETED: 'Complete',
  EXPIRED: 'Expired',
}

/** Symbols of known tokens, else short addresses. Venue names are free text and name no token. */
function symbolsOf({ symbols, pair }: SharedMandate): { base: string; quote: string } {
  const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
  return {
    base: symbols.base ?? short(pair.base),
    quote: symbols.quote ?? short(pair.quote),
  }
}

const marks = { MET: '✓', BREACHED: '✕', INDETERMINATE: '?' } as const

function kpis(mandate: SharedMandate): string[] {
  const { quote } = symbolsOf(mandate)
  const format: KpiFormat = {
    percent: (pips) => `${decimalText(pips, 4)}\u00a0%`,
    quote: (atoms) => `${decimalText(atoms, mandate.pair.quoteDecimals)}\u00a0${quote}`,
  }
  const lines = mandate.evaluations.flatMap((evaluation) => {
    const kpi = mandate.kpis.find(({ kpiId }) => kpiId === evaluation.kpiId)
    if (!kpi) return []
    const { verdict, trust, reason, window } = evaluation
    const details = [
      measuredText(evaluation, kpi, format),
      observedText(evaluation),
      ...(trust === null ? [] : [trustTexts[trust]]),
      `${timeText(window.from)} to ${timeText(window.to)}`,
    ]
    const why = reason === null ? '' : ` ${inconclusiveReasons[reason]}`
    return [
      `<li><b class="${verdict}"><span aria-hidden="true">${marks[verdict]}</span> ${verdictTexts[verdict]}</b><span>${escapeXml(promiseText(kpi, mandate.venues, format))}</span><small>${escapeXml(`${details.join(' · ')}.${why}`)}</small></li>`,
    ]
  })
  const empty = mandate.kpis.length === 0 ? 'This page has no promises.' : 'No window has begun.'
  return [
    '<h2>Promises</h2>',
    lines.length === 0 ? `<p>${empty}</p>` : `<ul class="kpis">\n${lines.join('\n')}\n</ul>`,
  ]
}

const stateTexts: Readonly<Record<HourState, string>> = {
  MET: 'met',
  BREACHED: 'breached',
  GAP: 'data gap',
  EXCLUDED: 'excluded',
  AHEAD: 'not yet',
}
/** The worse state of both sides comes first. */
const order: readonly HourState[] = ['BREACHED', 'GAP', 'MET', 'EXCLUDED', 'AHEAD']

function hours({ days }: SharedMandate): string[] {
  if (days.length === 0) return []
  const worst = days.map(({ day, bid, ask }) => ({
    day,
    hours: bid.map(
      (state, hour) => order.find((one) => one === state || one === ask[hour]) ?? state,
    ),
  }))
  const all = worst.flatMap((one) => one.hours)
  const count = (state: HourState) => all.filter((one) => one === state).length
  const label = `${count('MET')} hours met, ${count('BREACHED')} breached, ${count('GAP')} with a data gap`
  const rows = worst.map(
    ({ day, hours: states }) =>
      `<div><span>${day.slice(5)}</span>${states.map((state, hour) => `<i class="${state}" title="${day} ${`${hour}`.padStart(2, '0')}:00 UTC: ${stateTexts[state]}"></i>`).join('')}</div>`,
  )
  const scale = Array.from({ length: 24 }, (_, hour) =>
    hour % 6 === 0 ? `<span>${hour}</span>` : '<span></span>',
  )
  const breached = days.flatMap(({ day, bid, ask }) =>
    bid.flatMap((state, hour) => {
      const sides = [
        ...(state === 'BREACHED' ? ['bids'] : []),
        ...(ask[hour] === 'BREACHED' ? ['asks'] : []),
      ]
      return sides.length === 0
        ? []
        : [[`${day} ${`${hour}`.padStart(2, '0')}:00 UTC`, sides.join(' and ')]]
    }),
  )
  return [
    '<h2>Uptime by hour</h2>',
    `<p class="note">${label}. The weaker side counts. Times in UTC.</p>`,
    `<div class="hours" role="img" aria-label="${label}">\n<div class="scale"><span></span>${scale.join('')}</div>\n${rows.join('\n')}\n</div>`,
    `<ul class="key">${(['MET', 'BREACHED', 'GAP', 'EXCLUDED', 'AHEAD'] as const).map((state) => `<li><i class="${state}"></i>${stateTexts[state]}</li>`).join('')}</ul>`,
    ...table('Breached hours', ['Hour', 'Sides'], breached),
  ]
}

function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[]) {
  if (rows.length === 0) return []
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join('')
  const body = rows.map(
    (row) => `<tr>${row.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`,
  )
  return [
    `<h2>${title}</h2>`,
    `<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`,
  ]
}

const dayText = (time: string) => time.slice(0, 10)
const timeText = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`

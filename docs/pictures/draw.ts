import { pathToFileURL } from 'node:url'

/** What the picture needs of an observation; amounts are atomic units of the quote, 18 decimals. */
export interface DrawnObservation {
  payload: {
    metrics: { depth: readonly { bandPips: number; side: 'BUY' | 'SELL'; quote: string }[] }
  }
}

interface ReplayedArm {
  armId: string
  flowModel: string
  waterfallHolder: Readonly<Record<string, string>>
}

/** What the picture needs of a study. */
export interface DrawnStudy {
  payload: {
    spec: {
      arms: readonly { armId: string; label: string }[]
      capital: { base: string; quote: string }
    }
    result: {
      startPriceX18: string | null
      arms: readonly (
        | ReplayedArm
        | { armId: string; waterfallHolder: Readonly<Record<string, object>> }
      )[]
    } | null
  }
}

const width = 880
const height = 392

/** Whole tokens with two or three digits; the record has the atoms. */
const amount = (atoms: string, digits: number) => (Number(BigInt(atoms)) / 1e18).toFixed(digits)
const text = (x: number, y: number, content: string, attributes = '') =>
  `<text x="${round(x)}" y="${round(y)}" ${attributes}>${content.replaceAll('<', '&lt;')}</text>`
const rect = (x: number, y: number, w: number, h: number, kind: string) =>
  `<rect class="${kind}" x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}"/>`
const round = (value: number) => Math.round(value * 10) / 10

/**
 * The launch study of the demo as one picture: on the left the depth ladder of the pool at the end, on the right each
 * position vs HODL. The same results give the same text.
 */
export function drawLaunch(observation: DrawnObservation, study: DrawnStudy): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">The launch study of the demo</title>
<desc id="desc">Depth ladder of the pool, and three LP positions vs HODL of the same starting inventory, in WETH.</desc>
<style>
.card { fill: #ffffff; stroke: #d0d7de } text { fill: #1f2328; font: 13px system-ui, sans-serif }
.head { font-weight: 600; font-size: 15px } .note { fill: #59636e; font-size: 12px } .axis { stroke: #8b949e }
.sell { fill: #b45309 } .buy { fill: #0b5cad } .gain { fill: #1a7f37 } .loss { fill: #b42318 } .net { fill: #57606a }
@media (prefers-color-scheme: dark) {
.card { fill: #0d1117; stroke: #30363d } text { fill: #e6edf3 } .note { fill: #9198a1 }
.sell { fill: #d9822b } .buy { fill: #4493f8 } .gain { fill: #3fb950 } .loss { fill: #f85149 } .net { fill: #9198a1 }
}
</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${ladder(observation).join('\n')}
${positions(study).join('\n')}
</svg>
`
}

function ladder({ payload }: DrawnObservation): string[] {
  const { depth } = payload.metrics
  const deepest = Math.max(...depth.map(({ quote }) => Number(BigInt(quote))))
  const bands = [...new Set(depth.map(({ bandPips }) => bandPips))]
  const middle = 180
  const longest = 95
  const lines = [
    text(24, 34, 'Depth ladder, WETH', 'class="head"'),
    text(24, 54, 'ENS / WETH 0.30 % after the last recorded block', 'class="note"'),
    text(middle - 12, 86, 'sell', 'class="note" text-anchor="end"'),
    text(middle + 12, 86, 'buy', 'class="note"'),
  ]
  for (const [index, band] of bands.entries()) {
    const y = 98 + index * 66
    lines.push(text(middle, y + 14, `${band / 10_000} %`, 'text-anchor="middle"'))
    for (const { side, quote } of depth.filter(({ bandPips }) => bandPips === band)) {
      const length = (Number(BigInt(quote)) / deepest) * longest
      const isBuy = side === 'BUY'
      const x = isBuy ? middle + 4 : middle - 4 - length
      lines.push(rect(x, y + 20, length, 18, isBuy ? 'buy' : 'sell'))
      const at = isBuy ? x + length + 5 : x - 5
      const anchor = isBuy ? 'start' : 'end'
      lines.push(text(at, y + 34, amount(quote, 3), `text-anchor="${anchor}"`))
    }
  }
  return lines
}

const parts = [
  ['divergenceLoss', -1, 'IL'],
  ['fees', 1, 'LP fees'],
] as const

/** Where each position ends vs HODL of its own starting inventory, and from what, under the first flow model. */
function positions({ payload }: DrawnStudy): string[] {
  const { base, quote } = payload.spec.capital
  const price = BigInt(payload.result?.startPriceX18 ?? 0)
  const capital = Number(BigInt(quote) + (BigInt(base) * price) / 10n ** 18n) / 1e18
  const results = (payload.result?.arms ?? []).filter(
    (arm): arm is ReplayedArm =>
      'flowModel' in arm &&
      arm.flowModel === 'INELASTIC_INPUT' &&
      arm.armId !== 'hold' &&
      !arm.armId.startsWith('benchmark-'),
  )
  const lines = [
    text(372, 34, 'LP positions vs HODL of the same starting inventory', 'class="head"'),
    text(372, 54, `in WETH, on ${capital.toFixed(1)}; fixed flow, gas not charged`, 'class="note"'),
    text(372, 72, 'IL: impermanent loss. HODL has the same inventory effect.', 'class="note"'),
  ]
  const top = 112
  const bottom = 326
  const reached = results.flatMap(({ waterfallHolder }) =>
    course(waterfallHolder).flatMap(({ from, to }) => [from, to]),
  )
  const [lowest, highest] = [Math.min(0, ...reached), Math.max(0, ...reached)]
  const scale = (value: number) => top + ((highest - value) / (highest - lowest)) * (bottom - top)
  for (const [index, { armId, waterfallHolder }] of results.entries()) {
    const left = 372 + index * 166
    const label = payload.spec.arms.find((arm) => arm.armId === armId)?.label ?? armId
    lines.push(
      `<line class="axis" x1="${left}" x2="${left + 150}" y1="${round(scale(0))}" y2="${round(scale(0))}"/>`,
    )
    for (const [position, { name, from, to, kind, shown }] of course(waterfallHolder).entries()) {
      const x = left + position * 50
      const [high, low] = [scale(Math.max(from, to)), scale(Math.min(from, to))]
      lines.push(rect(x + 4, high, 42, Math.max(1, low - high), kind))
      lines.push(text(x + 25, low + 13, shown, 'text-anchor="middle" style="font-size:11px"'))
      lines.push(text(x + 25, top - 8, name, 'text-anchor="middle" style="font-size:11px"'))
    }
    lines.push(text(left + 75, bottom + 44, label, 'text-anchor="middle" class="head"'))
  }
  return lines
}

/** The bars of one position: each part from where the one before ended, and the result from zero. */
function course(waterfall: Readonly<Record<string, string>>) {
  const line = (name: string) => BigInt(waterfall[name] ?? '0')
  let reached = 0
  const bars = parts.map(([part, sign, name]) => {
    const value = (sign * Number(line(part))) / 1e18
    const from = reached
    reached += value
    return { name, from, to: reached, kind: value < 0 ? 'loss' : 'gain', shown: signed(value) }
  })
  const result = Number(line('net') - line('hold') - line('exposureDrift')) / 1e18
  return [...bars, { name: 'vs HODL', from: 0, to: result, kind: 'net', shown: signed(result) }]
}

const signed = (value: number) => `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`

/** Reads the study and the observation of a running demo and prints the picture. */
async function main(demoFile: string): Promise<void> {
  const { readFileSync } = await import('node:fs')
  const { createClient } = await import('@liquidity-os/client')
  const { baseUrl, organizationId, session, resources } = JSON.parse(readFileSync(demoFile, 'utf8'))
  const client = createClient({ baseUrl, organizationId, auth: { kind: 'session', ...session } })
  const study = await client.getStudies({ params: { id: resources.studyId } })
  const observation = await client.getVenueObservations({ params: { id: resources.observationId } })
  process.stdout.write(drawLaunch(observation.body.data, study.body.data))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(process.argv[2] ?? 'data/demo.json')
}

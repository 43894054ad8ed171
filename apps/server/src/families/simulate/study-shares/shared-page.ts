import type { contract } from '@liquidity-os/contract'
import { drawFigure } from '../../../drawing/draw-figure.ts'
import type { ReportTable } from '../../../drawing/figure.ts'
import { escapeXml, pictureToSvg } from '../../../drawing/svg.ts'
import { decimalText } from '../../../reports/cell-text.ts'
import { facts, pageOf, plainTable, tableToHtml } from '../../../reports/page.ts'
import { headlineOf, labelOf } from '../study-reports/face.ts'

type Shared = contract.SharedSimulationStudy
type ReplayedArm = Extract<Shared['results'][number], { flowModel: string }>
type Table = Pick<ReportTable, 'title' | 'columns' | 'rows'>

const isReplayed = (arm: Shared['results'][number]): arm is ReplayedArm => 'flowModel' in arm

/** Millionths of the capital are shown as percent of it. */
const percentDecimals = 4

/**
 * What a share discloses, as a page for people: the same members as its JSON, and nothing beside them.
 *
 * @param url of this page, under which programs get the JSON
 */
export function sharedPage(shared: Shared, url: string): string {
  const { name, kind, state, assessesMarketHealth } = shared
  const health = assessesMarketHealth ? '' : ' · does not assess market health'
  return pageOf(name, [
    `<p class="kind">Shared study · ${escapeXml(kind)}</p>`,
    `<h1>${escapeXml(name)}</h1>`,
    `<p class="state ${state}">${escapeXml(`${state}${health}`)}</p>`,
    `<p class="headline">${escapeXml(headlineWords(shared))}</p>`,
    ...(shared.superseded
      ? ['<p>The study has a newer version than the one that is shared here.</p>']
      : []),
    facts(factsOf(shared)),
    ...picture(shared),
    ...results(shared),
    '<h2>What it rests on</h2>',
    facts(proofOf(shared)),
    ...assumptions(shared),
    '<h2>For programs</h2>',
    `<p>The same members as JSON:</p>\n<pre>curl -H 'accept: application/json' ${escapeXml(url)}</pre>`,
  ])
}

function headlineWords(shared: Shared): string {
  const { kind, state, reasons, paths, comparisons, coverage, results: all } = shared
  if (state === 'FAILED') return 'The study has failed: there is no result.'
  return headlineOf({
    study: { payload: { spec: { kind } } },
    result: { state, reasons, paths, comparisons: [...comparisons], coverage, search: null },
    arms: armsOf(shared),
    replayed: all.filter(isReplayed),
    simulated: all.filter((arm) => !isReplayed(arm)),
  })
}

/** The arms in their order, benchmarks last. */
function armsOf({ arms, results: all }: Shared) {
  const ids = [...new Set([...arms, ...all].map(({ armId }) => armId))]
  return ids.map((armId) => ({ armId, label: labelOf(armId, arms) }))
}

/** The pair as the tables count it: atoms as tokens, millionths of the capital as percent. */
function unitsOf({ unit, decimals }: Shared) {
  return unit === 'ATOMS'
    ? { words: 'quote tokens', baseDecimals: decimals.base, quoteDecimals: decimals.quote }
    : {
        words: '% of the capital at the start',
        baseDecimals: percentDecimals,
        quoteDecimals: percentDecimals,
      }
}

/** Of the columns with amounts: millionths of the capital are pips of it. */
const amountUnit = ({ unit }: Shared) => (unit === 'ATOMS' ? 'QUOTE_ATOMS' : 'PIPS')

function factsOf(shared: Shared): [string, string][] {
  const { organization, venue, capital, startPriceX18, endPriceX18, decimals, fidelity } = shared
  const price = (value: string) => decimalText(BigInt(value), 18 + decimals.quote - decimals.base)
  const units = unitsOf(shared)
  const told: [string, string | null][] = [
    ['by', organization?.name ?? null],
    ['venue', venue && `${venue.name}, ${venue.kind}, ${venue.address} on chain ${venue.chainId}`],
    [
      'capital',
      capital && shared.unit === 'ATOMS'
        ? `${decimalText(BigInt(capital.base), units.baseDecimals)} of the base and ${decimalText(BigInt(capital.quote), units.quoteDecimals)} of the quote`
        : 'not disclosed',
    ],
    ['price at the start', startPriceX18 && `${price(startPriceX18)} quote tokens per base token`],
    ['price at the end', endPriceX18 && `${price(endPriceX18)} quote tokens per base token`],
    [
      'replayed exactly',
      fidelity && `${fidelity.eventsExact} of ${fidelity.eventsReplayed} recorded events`,
    ],
    ['amounts', units.words],
    ['computed', shared.computedAt],
    ['shown until', shared.expiresAt],
  ]
  return told.flatMap(([term, text]) => (text === null ? [] : [[term, text] as [string, string]]))
}

function picture(shared: Shared): string[] {
  const rows = shared.series.flatMap(({ armId, flowModel, points }) =>
    points.map(({ seconds, netVsHold }) => [armId, flowModel, seconds, netVsHold]),
  )
  if (rows.length === 0) return []
  const { baseDecimals, quoteDecimals, words } = unitsOf(shared)
  const title = `Net against holding, ${words}`
  const description =
    'What each arm was worth above holding the same capital. The area about a line reaches to the other flow model.'
  const svg = drawFigure(
    {
      ...({ id: 'net-vs-hold', kind: 'NET_VS_HOLD', title, description } as const),
      columns: [
        { name: 'arm', unit: 'TEXT' },
        { name: 'flowModel', unit: 'TEXT' },
        { name: 'seconds', unit: 'SECONDS' },
        { name: 'netVsHold', unit: 'QUOTE_ATOMS' },
      ],
      rows,
      dataHash: shared.resourceVersion,
    },
    { baseDecimals, quoteDecimals, isBaseFirst: true, arms: armsOf(shared), amountWords: words },
  )
  return [
    '<h2>Over time</h2>',
    `<figure>\n${pictureToSvg(svg).trimEnd()}\n<figcaption>${escapeXml(description)}</figcaption>\n</figure>`,
  ]
}

function results(shared: Shared): string[] {
  const { baseDecimals, quoteDecimals } = unitsOf(shared)
  const tables = [replayedTable(shared), simulatedTable(shared)].filter(
    ({ rows }) => rows.length > 0,
  )
  if (tables.length === 0) return ['<h2>Results</h2>', '<p>No figure of an arm is given.</p>']
  const pair = { baseDecimals, quoteDecimals }
  return ['<h2>Results</h2>', ...tables.map((table) => tableToHtml(table, { pair }))]
}

function replayedTable(shared: Shared): Table {
  const label = (armId: string) => labelOf(armId, shared.arms)
  const unit = amountUnit(shared)
  return {
    title: 'What became of the capital of each arm',
    columns: [
      { name: 'arm', unit: 'TEXT' },
      { name: 'traders', unit: 'TEXT' },
      { name: 'net', unit },
      { name: 'hold', unit },
      { name: 'fees', unit },
      { name: 'divergence loss', unit },
      { name: 'largest fall', unit: 'PIPS' },
      { name: 'in range', unit: 'PIPS' },
    ],
    rows: shared.results
      .filter(isReplayed)
      .map(({ armId, flowModel, waterfallHolder: lines, maxDrawdown, timeInRangePips }) => [
        label(armId),
        flowModel,
        lines.net,
        lines.hold,
        lines.fees,
        lines.divergenceLoss,
        maxDrawdown.pips,
        timeInRangePips,
      ]),
  }
}

function simulatedTable(shared: Shared): Table {
  const label = (armId: string) => labelOf(armId, shared.arms)
  const unit = amountUnit(shared)
  return {
    title: 'Net against holding over the paths',
    columns: [
      { name: 'arm', unit: 'TEXT' },
      { name: 'mean', unit },
      { name: '95 % from', unit },
      { name: 'to', unit },
      { name: 'worst twentieth', unit },
      { name: 'best twentieth', unit },
    ],
    rows: shared.results.flatMap((arm) => {
      if (isReplayed(arm)) return []
      const { mean, meanCi95, q } = arm.netVsHold
      return [[label(arm.armId), mean, meanCi95[0], meanCi95[1], q.p05, q.p95]]
    }),
  }
}

function proofOf({
  resourceVersion,
  resultHash,
  parity,
  engine,
  gaps,
}: Shared): [string, string][] {
  const told: [string, string | null][] = [
    ['version', resourceVersion],
    ['result', resultHash],
    ['engine against the deployed bytecode', parity && `${parity.verdict}: ${parity.basis}`],
    ['engine', engine && `${engine.engineVersion}, build ${engine.engineBuildHash}`],
    ['gaps', gaps.length === 0 ? 'none are known' : gaps.join(', ')],
  ]
  return told.flatMap(([term, text]) => (text === null ? [] : [[term, text] as [string, string]]))
}

function assumptions({ assumptions: assumed }: Shared): string[] {
  if (!assumed || assumed.length === 0) return []
  const rows = assumed.map(({ code, value, source }) => [code, value, source])
  const pair = { baseDecimals: 0, quoteDecimals: 0 }
  return [plainTable('What was assumed', ['assumption', 'value', 'source'], rows, { pair })]
}

import type { ReportTable } from '../../../drawing/figure.ts'
import {
  hodlRows,
  inventoryEffects,
  labelOf,
  laterEffect,
  vsHodlTable,
  withoutEmptyColumns,
} from '../study-reports/api.ts'
import { isReplayed, replayedArms, type Shared, simulatedArms } from './shared-words.ts'

const text = (name: string) => ({ name, unit: 'TEXT' }) as const
const pips = (name: string) => ({ name, unit: 'PIPS' }) as const

/** Non-empty tables of the shared content. */
export function sharedTables(shared: Shared): ReportTable[] {
  const about = { shared, amount: amountColumn(shared), label: labels(shared) }
  return [
    verdictTable(about),
    replayedTable(about),
    simulatedTable(about),
    bandTable(about),
    depthTable(about),
    failureTable(about),
  ]
    .filter(({ rows }) => rows.length > 0)
    .map(withoutEmptyColumns)
}

interface About {
  readonly shared: Shared
  readonly amount: (name: string) => ReportTable['columns'][number]
  readonly label: (armId: string) => string
}

/** Millionths of the capital are labeled as pips. */
const amountUnit = ({ unit }: Shared) => (unit === 'ATOMS' ? 'QUOTE_ATOMS' : 'PIPS')

const amountColumn =
  (shared: Shared): About['amount'] =>
  (name) => ({ name, unit: amountUnit(shared) })

const labels =
  ({ arms }: Shared): About['label'] =>
  (armId) =>
    labelOf(armId, arms)

/** The candidates vs HODL. Shares of the capital come from the verdict. */
function verdictTable({ shared, label }: About): ReportTable {
  const sharesOf = (id: string, model: string | null) =>
    shared.verdict?.arms
      .find(({ armId }) => armId === id)
      ?.runs?.find(({ flowModel }) => flowModel === model) ?? null
  const rows = shared.results.map((arm) => {
    const common = { candidate: label(arm.armId), bounds: null, inRangePips: arm.timeInRangePips }
    if (isReplayed(arm)) {
      const { armId, flowModel, waterfallHolder: lines } = arm
      return {
        ...common,
        ...vsHodlOf(lines, arm.hodlPnl),
        flowModel,
        fees: lines.fees,
        il: `${-BigInt(lines.divergenceLoss)}`,
        shares: sharesOf(armId, flowModel),
      }
    }
    const { net, hold, exposureDrift, fees, divergenceLoss } = arm.waterfallHolder
    return {
      ...common,
      ...vsHodlOf(
        { net: net.mean, hold: hold.mean, exposureDrift: exposureDrift.mean },
        arm.hodlPnlMean,
      ),
      flowModel: null,
      fees: fees.mean,
      il: `${-BigInt(divergenceLoss.mean)}`,
      shares: sharesOf(arm.armId, null),
    }
  })
  const annualRatesWithheld = shared.verdict?.annualRatesWithheld ?? null
  return vsHodlTable(rows, { unit: amountUnit(shared), annualRatesWithheld })
}

type Lines = Readonly<Record<'net' | 'hold' | 'exposureDrift', string>>

/** Documents of an earlier release do not state HODL; then it is that of an unmoved position. */
const hodlPnlOf = (lines: Pick<Lines, 'hold' | 'exposureDrift'>, stated: string | undefined) =>
  stated === undefined ? BigInt(lines.hold) + BigInt(lines.exposureDrift) : BigInt(stated)

const vsHodlOf = (lines: Lines, stated: string | undefined) => ({
  vsHodl: `${BigInt(lines.net) - hodlPnlOf(lines, stated)}`,
  inventoryEffect: inventoryEffects(lines, stated)[1],
})

function replayedTable({ shared, amount, label }: About): ReportTable {
  const isPosition = (id: string) =>
    shared.verdict?.arms.some(({ armId, isBenchmark }) => armId === id && !isBenchmark) ?? false
  const runs = replayedArms(shared)
  const held = runs
    .filter(({ armId }) => isPosition(armId))
    .map(({ armId, waterfallHolder: lines, hodlPnl }) => ({
      label: label(armId),
      hodlPnl: `${hodlPnlOf(lines, hodlPnl)}`,
      lines,
    }))
  const hasLater = runs.some(
    ({ waterfallHolder: lines, hodlPnl }) => inventoryEffects(lines, hodlPnl)[1] !== '0',
  )
  const shownLater = (effect: string) => (hasLater ? effect : null)
  return {
    id: 'results',
    title: 'P&L breakdown',
    columns: [
      text('candidate'),
      text('flow model'),
      amount('HODL P&L'),
      amount('inventory effect'),
      amount(laterEffect),
      amount('impermanent loss'),
      amount('LP fees'),
      amount('net P&L'),
      pips('max. drawdown'),
    ],
    rows: [
      ...hodlRows(held).map(({ label: name, of: { lines, hodlPnl } }) => [
        name,
        null,
        lines.hold,
        `${BigInt(hodlPnl) - BigInt(lines.hold)}`,
        shownLater('0'),
        '0',
        '0',
        hodlPnl,
        null,
      ]),
      ...runs.map(({ armId, flowModel, waterfallHolder: lines, hodlPnl, maxDrawdown }) => [
        label(armId),
        flowModel,
        lines.hold,
        inventoryEffects(lines, hodlPnl)[0],
        shownLater(inventoryEffects(lines, hodlPnl)[1]),
        `${-BigInt(lines.divergenceLoss)}`,
        lines.fees,
        lines.net,
        maxDrawdown.pips,
      ]),
    ],
  }
}

function simulatedTable({ shared, amount, label }: About): ReportTable {
  return {
    id: 'results-over-paths',
    title: 'Net P&L vs initial capital over the paths',
    columns: [
      text('candidate'),
      amount('mean'),
      amount('95 % from'),
      amount('to'),
      amount('5th percentile'),
      amount('95th percentile'),
    ],
    rows: simulatedArms(shared).map(({ armId, netVsHold: { mean, meanCi95, q } }) => [
      label(armId),
      mean,
      meanCi95[0],
      meanCi95[1],
      q.p05,
      q.p95,
    ]),
  }
}

function bandTable({ shared, amount, label }: About): ReportTable {
  return {
    id: 'fee-band',
    title: 'LP fees, range of two flow models: assumptions, not a confidence interval',
    columns: [text('candidate'), amount('low'), amount('high')],
    rows: shared.feeBand.map(({ armId, lowQuote, highQuote }) => [
      label(armId),
      lowQuote,
      highQuote,
    ]),
  }
}

function depthTable({ shared, amount, label }: About): ReportTable {
  return {
    id: 'depth',
    title: 'Depth: median and worst share of the time',
    columns: [
      text('candidate'),
      text('flow model'),
      pips('band'),
      text('side'),
      amount('median'),
      amount('worst 5 %'),
      amount('worst 1 %'),
    ],
    rows: shared.results.flatMap((arm): ReportTable['rows'] =>
      isReplayed(arm)
        ? arm.depth.map(({ bandPips, side, medianQuote, worst5Quote, worst1Quote }) => [
            label(arm.armId),
            arm.flowModel,
            bandPips,
            side,
            medianQuote,
            worst5Quote,
            worst1Quote,
          ])
        : arm.depth.map(({ bandPips, medianQuote, worst5Quote, worst1Quote }) => [
            label(arm.armId),
            null,
            bandPips,
            'thinner',
            medianQuote,
            worst5Quote,
            worst1Quote,
          ]),
    ),
  }
}

function failureTable({ shared, label }: About): ReportTable {
  return {
    id: 'failure',
    title: 'Risk limits: share of time or of paths with a breach',
    columns: [text('candidate'), text('flow model'), text('risk limit'), pips('share')],
    rows: shared.results.flatMap((arm): ReportTable['rows'] =>
      isReplayed(arm)
        ? arm.failure.map(({ kind, timeSharePips }) => [
            label(arm.armId),
            arm.flowModel,
            kind,
            timeSharePips,
          ])
        : arm.failure.rules.map(({ kind, passage }) => [
            label(arm.armId),
            null,
            kind,
            passage.probabilityPips,
          ]),
    ),
  }
}

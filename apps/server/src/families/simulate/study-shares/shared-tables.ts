import type { ReportTable } from '../../../drawing/figure.ts'
import { vsHodlOf } from '../studies/api.ts'
import { labelOf } from '../study-reports/api.ts'
import { isReplayed, replayedArms, type Shared, simulatedArms } from './shared-words.ts'

const text = (name: string) => ({ name, unit: 'TEXT' }) as const
const pips = (name: string) => ({ name, unit: 'PIPS' }) as const

/** Non-empty tables of the shared content. */
export function sharedTables(shared: Shared): ReportTable[] {
  const about = { shared, amount: amountColumn(shared), label: labels(shared) }
  return [
    replayedTable(about),
    simulatedTable(about),
    bandTable(about),
    depthTable(about),
    failureTable(about),
  ].filter(({ rows }) => rows.length > 0)
}

interface About {
  readonly shared: Shared
  readonly amount: (name: string) => ReportTable['columns'][number]
  readonly label: (armId: string) => string
}

/** Millionths of the capital are labeled as pips. */
const amountColumn =
  ({ unit }: Shared): About['amount'] =>
  (name) => ({ name, unit: unit === 'ATOMS' ? 'QUOTE_ATOMS' : 'PIPS' })

const labels =
  ({ arms }: Shared): About['label'] =>
  (armId) =>
    labelOf(armId, arms)

function replayedTable({ shared, amount, label }: About): ReportTable {
  return {
    id: 'results',
    title: 'Results vs HODL of the same starting inventory',
    columns: [
      text('candidate'),
      text('flow model'),
      amount('vs HODL'),
      amount('LP fees'),
      amount('impermanent loss'),
      amount('inventory effect'),
      amount('HODL P&L'),
      amount('net P&L'),
      pips('max. drawdown'),
      pips('time in range'),
    ],
    rows: replayedArms(shared).map(
      ({ armId, flowModel, waterfallHolder: lines, maxDrawdown, timeInRangePips }) => [
        label(armId),
        flowModel,
        vsHodlOf(lines),
        lines.fees,
        `${-BigInt(lines.divergenceLoss)}`,
        lines.exposureDrift,
        lines.hold,
        lines.net,
        maxDrawdown.pips,
        timeInRangePips,
      ],
    ),
  }
}

function simulatedTable({ shared, amount, label }: About): ReportTable {
  return {
    id: 'results-over-paths',
    title: 'Net P&L vs initial capital over the paths',
    columns: [
      text('arm'),
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
    columns: [text('arm'), amount('low'), amount('high')],
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
      text('arm'),
      text('traders'),
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
    columns: [text('arm'), text('traders'), text('rule'), pips('share')],
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

import type { ReportTable } from '../../../drawing/figure.ts'
import { readStudyVerdict } from '../studies/api.ts'
import { ruleWords } from './figures/failures.ts'
import { ends } from './figures/trades.ts'
import type { Findings } from './report-input.ts'
import { hodlRows, inventoryEffects, laterEffect, vsHodlTable } from './vs-hodl-table.ts'

/** The tables of a report; empty for a withheld study. */
export function tablesOf(findings: Findings): ReportTable[] {
  if (findings.result.state === 'ABSTAINED') return []
  const tables =
    findings.simulated.length > 0
      ? [simulatedResults(findings), riskTable(findings), failureTable(findings)]
      : [replayedResults(findings), bandTable(findings), outcomeTable(findings)]
  return [
    capitalTable(findings),
    verdictTable(findings),
    ...tables,
    rangeTable(findings),
    searchTable(findings),
    depthTable(findings),
    operationsTable(findings),
    marketTable(findings),
  ]
    .filter(({ rows }) => rows.length > 0)
    .map(withoutEmptyColumns)
}

const text = (name: string) => ({ name, unit: 'TEXT' }) as const
const count = (name: string) => ({ name, unit: 'COUNT' }) as const
const pips = (name: string) => ({ name, unit: 'PIPS' }) as const
const quote = (name: string) => ({ name, unit: 'QUOTE_ATOMS' }) as const
const base = (name: string) => ({ name, unit: 'BASE_ATOMS' }) as const

const labelOf = ({ arms }: Findings, id: string) =>
  arms.find(({ armId }) => armId === id)?.label ?? id

/** The candidates as the verdict has them; empty without a start price. */
function verdictTable(findings: Findings): ReportTable {
  const { arms, annualRatesWithheld } = readStudyVerdict(findings.study)
  const rows = arms.flatMap(({ armId, netVsHodlQuote: { low, high }, runs }) =>
    runs.map((run) => ({
      candidate: labelOf(findings, armId),
      flowModel: run.flowModel,
      vsHodl: run.netVsHodlQuote,
      bounds: run.flowModel === null ? ([low, high] as const) : null,
      fees: run.feesQuote,
      il: run.ilQuote,
      inventoryEffect: run.inventoryEffectQuote,
      shares: run,
      inRangePips: run.inRangePips,
    })),
  )
  return vsHodlTable(rows, { unit: 'QUOTE_ATOMS', annualRatesWithheld })
}

/** The runs of the positions, in the order of the result. */
function positionRuns(findings: Findings) {
  const { arms } = readStudyVerdict(findings.study)
  return arms
    .filter(({ isBenchmark }) => !isBenchmark)
    .flatMap(({ armId, runs }) =>
      runs.map((run) => ({ armId, label: labelOf(findings, armId), hodlPnl: run.hodlPnlQuote })),
    )
}

type Holder = Findings['replayed'][number]['waterfallHolder']

function replayedResults(findings: Findings): ReportTable {
  const holderOf = (id: string) =>
    findings.replayed.find(({ armId }) => armId === id)?.waterfallHolder
  const { arms } = readStudyVerdict(findings.study)
  const effectsOf = (id: string, model: string, lines: Holder) => {
    const runs = arms.find(({ armId }) => armId === id)?.runs ?? []
    return inventoryEffects(lines, runs.find(({ flowModel }) => flowModel === model)?.hodlPnlQuote)
  }
  const hasLater = findings.replayed.some(
    ({ armId, flowModel, waterfallHolder }) =>
      effectsOf(armId, flowModel, waterfallHolder)[1] !== '0',
  )
  const hodl = hodlRows(positionRuns(findings)).flatMap(({ label, of }) => {
    const holder = holderOf(of.armId)
    if (!holder) return []
    const effect = `${BigInt(of.hodlPnl) - BigInt(holder.hold)}`
    const later = hasLater ? '0' : null
    return [[label, null, holder.hold, effect, later, '0', '0', '0', '0', '0', of.hodlPnl, null]]
  })
  const candidates = findings.replayed.map(({ armId, flowModel, waterfallHolder: lines, flow }) => [
    labelOf(findings, armId),
    flowModel,
    lines.hold,
    effectsOf(armId, flowModel, lines)[0],
    hasLater ? effectsOf(armId, flowModel, lines)[1] : null,
    `${-BigInt(lines.divergenceLoss)}`,
    lines.fees,
    `${-BigInt(lines.gas)}`,
    `${-BigInt(lines.rebalanceCost)}`,
    `${BigInt(lines.rewards) + BigInt(lines.rounding)}`,
    lines.net,
    flow.swaps,
  ])
  return {
    id: 'results',
    title: 'P&L breakdown',
    columns: [
      text('candidate'),
      text('flow model'),
      quote('HODL P&L'),
      quote('inventory effect'),
      quote(laterEffect),
      quote('impermanent loss'),
      quote('LP fees'),
      quote('gas'),
      quote('rebalancing'),
      quote('rewards and rounding'),
      quote('net P&L'),
      count('trades'),
    ],
    rows: [...hodl, ...candidates],
  }
}

function bandTable(findings: Findings): ReportTable {
  const { result } = findings
  return {
    id: 'fee-band',
    title: 'LP fees, range of two flow models: assumptions, not a confidence interval',
    columns: [text('candidate'), quote('low'), quote('high')],
    rows: result.feeBand.map(({ armId, lowQuote, highQuote }) => [
      labelOf(findings, armId),
      ...ends([lowQuote, highQuote]),
    ]),
  }
}

function outcomeTable(findings: Findings): ReportTable {
  return {
    id: 'failure-outcomes',
    title: 'Risk limits',
    columns: [
      text('risk limit'),
      text('candidate'),
      text('flow model'),
      { name: 'breached', unit: 'FLAG' },
      { name: 'block', unit: 'BLOCK' },
    ],
    rows: findings.replayed.flatMap((arm) =>
      arm.failure.map(({ rule, failed, block }) => [
        ruleWords(rule, findings.study.payload.spec.pair),
        labelOf(findings, arm.armId),
        arm.flowModel,
        failed,
        block,
      ]),
    ),
  }
}

function simulatedResults(findings: Findings): ReportTable {
  return {
    id: 'results',
    title: 'Net P&L over the price paths',
    columns: [
      text('candidate'),
      count('paths'),
      quote('mean net P&L'),
      quote('mean vs initial capital'),
      quote('95 % from'),
      quote('95 % to'),
      quote('median'),
      quote('mean LP fees'),
      quote('mean LVR'),
      pips('time in range'),
    ],
    rows: [
      ...hodlRows(positionRuns(findings)).map(({ label, of }) => [
        label,
        null,
        of.hodlPnl,
        meanEffectOf(findings, of),
        null,
        null,
        null,
        '0',
        null,
        null,
      ]),
      ...findings.simulated.map((arm) => [
        labelOf(findings, arm.armId),
        arm.netVsHold.n,
        arm.waterfallHolder.net.mean,
        arm.netVsHold.mean,
        arm.netVsHold.meanCi95[0],
        arm.netVsHold.meanCi95[1],
        arm.netVsHold.q.p50,
        arm.waterfallHolder.fees.mean,
        arm.waterfallMaker.lvr.mean,
        arm.timeInRangePips,
      ]),
    ],
  }
}

/** Mean P&L of HODL of the starting inventory vs the initial capital. */
function meanEffectOf(
  { simulated }: Findings,
  { armId: id, hodlPnl }: { readonly armId: string; readonly hodlPnl: string },
): string | null {
  const hold = simulated.find(({ armId }) => armId === id)?.waterfallHolder.hold.mean
  return hold === undefined ? null : `${BigInt(hodlPnl) - BigInt(hold)}`
}

function riskTable(findings: Findings): ReportTable {
  return {
    id: 'risk',
    title: 'Risk: net P&L vs initial capital; a loss is negative',
    columns: [
      text('candidate'),
      quote('VaR 95 %'),
      quote('CVaR 95 %'),
      quote('CVaR 95 % from'),
      quote('CVaR 95 % to'),
      quote('VaR 99 %'),
      quote('CVaR 99 %'),
      quote('median drawdown'),
    ],
    rows: findings.simulated.map(({ armId, risk: { netVsHold: risk, maxDrawdown } }) => [
      labelOf(findings, armId),
      risk.var95,
      risk.es95,
      risk.es95Ci95[0],
      risk.es95Ci95[1],
      risk.var99,
      risk.es99,
      maxDrawdown.q.p50,
    ]),
  }
}

function failureTable(findings: Findings): ReportTable {
  return {
    id: 'failure-probabilities',
    title: 'Risk limits: breach probability with Wilson 95 % interval',
    columns: [
      text('risk limit'),
      text('candidate'),
      pips('probability'),
      pips('from'),
      pips('to'),
      { name: 'median time', unit: 'SECONDS' },
    ],
    rows: findings.simulated.flatMap(({ armId, failure }) =>
      [
        ...failure.rules.map(({ rule, passage }) => ({
          words: ruleWords(rule, findings.study.payload.spec.pair),
          passage,
        })),
        ...(failure.any ? [{ words: 'any limit', passage: failure.any }] : []),
      ].map(({ words, passage }) => [
        words,
        labelOf(findings, armId),
        passage.probabilityPips,
        passage.ci95Pips[0],
        passage.ci95Pips[1],
        passage.medianSeconds,
      ]),
    ),
  }
}

function depthTable(findings: Findings): ReportTable {
  const { replayed, simulated } = findings
  return {
    id: 'depth',
    title:
      simulated.length > 0
        ? 'Market depth, thinner side: median and worst share of the samples'
        : "Depth of each candidate's own position: median and worst share of the time",
    columns: [
      text('candidate'),
      text('flow model'),
      pips('band'),
      text('side'),
      quote('median'),
      quote('worst 5 %'),
      quote('worst 1 %'),
    ],
    rows: [
      ...replayed.flatMap((arm) =>
        arm.depth.map(({ bandPips, side, medianQuote, worst5Quote, worst1Quote }) => [
          labelOf(findings, arm.armId),
          arm.flowModel,
          bandPips,
          side,
          medianQuote,
          worst5Quote,
          worst1Quote,
        ]),
      ),
      ...simulated.flatMap((arm) =>
        arm.depth.map(({ bandPips, medianQuote, worst5Quote, worst1Quote }) => [
          labelOf(findings, arm.armId),
          null,
          bandPips,
          'thinner',
          medianQuote,
          worst5Quote,
          worst1Quote,
        ]),
      ),
    ],
  }
}

function operationsTable(findings: Findings): ReportTable {
  const { replayed, simulated } = findings
  return {
    id: 'operations',
    title: 'Actions of the candidates, and actions rejected by guards',
    columns: [
      text('candidate'),
      text('flow model'),
      text('action'),
      { name: 'rejected', unit: 'FLAG' },
      count('times'),
    ],
    rows: [...replayed, ...simulated].flatMap((arm) => {
      const place = [labelOf(findings, arm.armId), 'flowModel' in arm ? arm.flowModel : null]
      return [
        ...Object.entries(arm.operations.done).map(([what, times]) => [
          ...place,
          what,
          false,
          times,
        ]),
        ...Object.entries(arm.operations.refused).map(([what, times]) => [
          ...place,
          what,
          true,
          times,
        ]),
      ]
    }),
  }
}

function marketTable({ result, simulated }: Findings): ReportTable {
  const when = simulated.length > 0 ? 'at the start' : 'at the end of the window'
  return {
    id: 'market-depth',
    title: `Market depth ${when}`,
    columns: [pips('band'), text('side'), quote('depth')],
    rows: (result.market?.depth ?? []).map(({ bandPips, side, quote: depth }) => [
      bandPips,
      side,
      depth,
    ]),
  }
}

/** All trials of a search, so a reader can check the choice. */
function searchTable({ result: { search } }: Findings): ReportTable {
  const words = (choice: Readonly<Record<string, string>>) =>
    Object.entries(choice)
      .map(([path, value]) => `${path} = ${value}`)
      .join(', ')
  return {
    id: 'search',
    title: 'Search trials before the split',
    columns: [text('parameters'), quote('vs initial capital'), { name: 'chosen', unit: 'FLAG' }],
    rows: (search?.scores ?? []).map(({ choice, netVsHold }) => [
      words(choice),
      netVsHold,
      words(choice) === words(search?.chosen ?? {}),
    ]),
  }
}

function capitalTable({ study }: Findings): ReportTable {
  const { capital } = study.payload.spec
  return {
    id: 'capital',
    title: 'Capital by candidate',
    columns: [base('base'), quote('quote'), text('normalization')],
    rows: [[capital.base, capital.quote, capital.normalization]],
  }
}

/** Initial price ranges of every arm, equal for all flow models. */
function rangeTable(findings: Findings): ReportTable {
  const { arms, replayed, simulated } = findings
  const price = (name: string) => ({ name, unit: 'PRICE_X36' }) as const
  const tick = (name: string) => ({ name, unit: 'TICK' }) as const
  return {
    id: 'ranges',
    title: 'Initial ranges: lower and upper price',
    columns: [
      text('candidate'),
      price('from'),
      price('to'),
      tick('lower tick'),
      tick('upper tick'),
    ],
    rows: arms.flatMap(({ armId, label }) => {
      const found = [...replayed, ...simulated].find((arm) => arm.armId === armId)
      return (found?.positions ?? []).map(({ tickLower, tickUpper, ...edges }) => [
        label,
        // Results sealed by earlier releases have ticks but no edge prices.
        edges.lowerPriceX36 ?? null,
        edges.upperPriceX36 ?? null,
        tickLower,
        tickUpper,
      ])
    }),
  }
}

/** Removes columns without any value, such as flow models of a simulation. */
export function withoutEmptyColumns({ columns, rows, ...table }: ReportTable): ReportTable {
  const isShown = columns.map((_, at) => rows.some((row) => row[at] !== null))
  return {
    ...table,
    columns: columns.filter((_, at) => isShown[at]),
    rows: rows.map((row) => row.filter((_, at) => isShown[at])),
  }
}

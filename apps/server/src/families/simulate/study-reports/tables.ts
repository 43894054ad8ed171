import type { ReportTable } from '../../../drawing/figure.ts'
import { vsHodlOf } from '../studies/api.ts'
import { ruleWords } from './figures/failures.ts'
import { ends } from './figures/trades.ts'
import type { Findings } from './report-input.ts'

/** The tables of a report; empty for a withheld study. */
export function tablesOf(findings: Findings): ReportTable[] {
  if (findings.result.state === 'ABSTAINED') return []
  const tables =
    findings.simulated.length > 0
      ? [simulatedResults(findings), riskTable(findings), failureTable(findings)]
      : [replayedResults(findings), bandTable(findings), outcomeTable(findings)]
  return [
    capitalTable(findings),
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

function replayedResults(findings: Findings): ReportTable {
  return {
    id: 'results',
    title: 'Results vs HODL of the same starting inventory',
    columns: [
      text('candidate'),
      text('flow model'),
      quote('vs HODL'),
      quote('LP fees'),
      quote('impermanent loss'),
      quote('inventory effect'),
      quote('HODL P&L'),
      quote('net P&L'),
      quote('gas'),
      pips('time in range'),
      count('trades'),
    ],
    rows: findings.replayed.map((arm) => [
      labelOf(findings, arm.armId),
      arm.flowModel,
      vsHodlOf(arm.waterfallHolder),
      arm.waterfallHolder.fees,
      `${-BigInt(arm.waterfallHolder.divergenceLoss)}`,
      arm.waterfallHolder.exposureDrift,
      arm.waterfallHolder.hold,
      arm.waterfallHolder.net,
      arm.waterfallHolder.gas,
      arm.timeInRangePips,
      arm.flow.swaps,
    ]),
  }
}

function bandTable(findings: Findings): ReportTable {
  const { result } = findings
  return {
    id: 'fee-band',
    title: 'LP fees, range of two flow models: assumptions, not a confidence interval',
    columns: [text('arm'), quote('low'), quote('high')],
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
      text('rule'),
      text('arm'),
      text('flow model'),
      { name: 'broke', unit: 'FLAG' },
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
    title: 'Results of each candidate over the paths',
    columns: [
      text('arm'),
      count('paths'),
      quote('mean net P&L'),
      quote('mean vs initial capital'),
      quote('95 % from'),
      quote('95 % to'),
      quote('median'),
      quote('mean fees'),
      quote('mean LVR'),
      pips('time in range'),
    ],
    rows: findings.simulated.map((arm) => [
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
  }
}

function riskTable(findings: Findings): ReportTable {
  return {
    id: 'risk',
    title: 'Risk: net P&L vs initial capital; a loss is negative',
    columns: [
      text('arm'),
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
      text('rule'),
      text('arm'),
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
      text('arm'),
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
      text('arm'),
      text('flow model'),
      text('what'),
      { name: 'refused', unit: 'FLAG' },
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
    columns: [text('arm'), price('from'), price('to'), tick('lower tick'), tick('upper tick')],
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
function withoutEmptyColumns({ columns, rows, ...table }: ReportTable): ReportTable {
  const isShown = columns.map((_, at) => rows.some((row) => row[at] !== null))
  return {
    ...table,
    columns: columns.filter((_, at) => isShown[at]),
    rows: rows.map((row) => row.filter((_, at) => isShown[at])),
  }
}

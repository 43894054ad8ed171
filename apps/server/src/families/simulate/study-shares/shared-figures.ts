import type { FigureData, ReportFigure } from '../../../drawing/figure.ts'
import {
  curveFigures,
  depthFanRows,
  depthFigure,
  differenceFigures,
  fanFigures,
  feesAndLvrFigures,
  lineFigures,
  ruleWords,
  sealedPages,
  slippageFigures,
  waterfallFigures,
} from '../study-reports/api.ts'
import {
  replayedArms,
  type Shared,
  type SharedSimulatedArm,
  sharedArms,
  sharedTerms,
  simulatedArms,
} from './shared-words.ts'

/** All charts that the shared data allows. No other data is available here. */
export function sharedFigures(shared: Shared): ReportFigure[] {
  if (shared.state === 'ABSTAINED' || shared.results.length === 0) return []
  const arms = sharedArms(shared)
  const [replayed, simulated] = [replayedArms(shared), simulatedArms(shared)]
  const slipping = replayed.map((arm) => ({ ...arm, slippage: arm.slippage ?? [] }))
  const earning = replayed.map((arm) => ({ ...arm, positions: heldBy(arm) }))
  const figures = [
    ...waterfallFigures({ arms, replayed, simulated }),
    ...(simulated.length > 0 ? fanFigures(simulated) : lineFigures(lineRows(shared))),
    ...depthFigures(simulated),
    ...slippageFigures({ replayed: slipping, simulated, result: { market: shared.market } }),
    ...feesAndLvrFigures({ arms, replayed: earning, simulated }),
    ...failureFigures(shared, simulated),
    ...differenceFigures({ arms, replayed, simulated, result: shared }),
  ]
  return sealedPages(
    figures.map((figure) => inUnit(figure, shared)),
    { simulated, arms },
  )
}

/** Positions of an arm. If hidden, a placeholder if the arm has fees or LVR like a position. */
function heldBy({
  positions,
  waterfallMaker: { fees, lvr },
}: ReturnType<typeof replayedArms>[number]) {
  if (positions !== null) return positions
  return fees === '0' && lvr === '0' ? [] : [null]
}

const lineRows = ({ series }: Shared): FigureData['rows'] =>
  series.flatMap(({ armId, flowModel, points }) =>
    points.flatMap(({ seconds, netVsHodl }) =>
      netVsHodl == null ? [] : [[armId, flowModel, seconds, netVsHodl]],
    ),
  )

function depthFigures(simulated: readonly SharedSimulatedArm[]): FigureData[] {
  const bands = new Set(simulated.flatMap((arm) => arm.depthOverTime.map((one) => one.bandPips)))
  return [...bands].map((band) => depthFigure(band, depthFanRows(simulated, band), true, []))
}

/** A rule with a hidden limit is labeled by its kind, plus its number if several exist. */
function failureFigures(shared: Shared, simulated: readonly SharedSimulatedArm[]): FigureData[] {
  const named = simulated.map(({ armId, failure: { rules, any } }) => ({
    armId,
    failure: {
      any,
      rules: rules.map(({ kind, rule, passage }, index) => ({
        passage,
        words: rule
          ? ruleWords(rule, sharedTerms(shared))
          : `${kind}${rules.length > 1 ? `, limit ${index + 1}` : ''}`,
      })),
    },
  }))
  return curveFigures(named, ({ words }) => words)
}

/** Adds the unit to titles. Millionths of the capital are labeled as pips. */
function inUnit(figure: FigureData, shared: Shared): FigureData {
  const hasAmounts = figure.columns.some(({ unit }) => unit === 'QUOTE_ATOMS')
  if (!hasAmounts) return figure
  const title = `${figure.title}, ${sharedTerms(shared).amountWords}`
  if (shared.unit === 'ATOMS') return { ...figure, title }
  const columns = figure.columns.map(({ name, unit }) => ({
    name,
    unit: unit === 'QUOTE_ATOMS' ? ('PIPS' as const) : unit,
  }))
  return { ...figure, title, columns }
}

import { type FigureData, type ReportFigure, sealFigure } from '../../../drawing/figure.ts'
import { waterfallFigures } from './figures/accounts.ts'
import { differenceFigures } from './figures/comparisons.ts'
import { failureFigures } from './figures/failures.ts'
import { liquidityMapFigures } from './figures/liquidity-map.ts'
import { depthFigures, netVsHoldFigures } from './figures/over-time.ts'
import { inParts } from './figures/parts.ts'
import { feesAndLvrFigures, slippageFigures } from './figures/trades.ts'
import { volatilityFigures } from './figures/volatility-signature.ts'
import type { Findings } from './report-input.ts'

/** All figures for which the study has data; empty for a withheld study. */
export function figuresOf(findings: Findings): ReportFigure[] {
  if (findings.result.state === 'ABSTAINED') return []
  return sealedPages(
    [
      ...waterfallFigures(findings),
      ...netVsHoldFigures(findings),
      ...depthFigures(findings),
      ...slippageFigures(findings),
      ...liquidityMapFigures(findings),
      ...feesAndLvrFigures(findings),
      ...failureFigures(findings),
      ...differenceFigures(findings),
      ...volatilityFigures(findings),
    ],
    findings,
  )
}

/** Splits figures into parts that fit a page, with the hashes of their data. */
export function sealedPages(figures: readonly FigureData[], about: About): ReportFigure[] {
  return figures.flatMap((figure) => inPages(figure, about)).map(sealFigure)
}

interface About {
  readonly simulated: readonly unknown[]
  readonly arms: readonly unknown[]
}

function inPages(figure: FigureData, about: About): FigureData[] {
  switch (figure.kind) {
    case 'NET_VS_HOLD':
      return fans(figure)
    case 'FIRST_PASSAGE':
      return failures(figure, about)
    case 'PAIRED_DIFFERENCES':
      return differences(figure)
    default:
      return [figure]
  }
}

// Maximum items per paper page at a readable text size.
const fansOfPage = 8
const curvesOfPage = 8
const pairsOfPage = 45
const linesOfPage = 52

/** Fans have one chart per candidate; lines share one. */
function fans(figure: FigureData): FigureData[] {
  const isFan = figure.columns.some(({ name }) => name === 'p50')
  return isFan ? inParts(figure, ([arm]) => String(arm), fansOfPage) : [figure]
}

/** Curves have one chart per rule; moments have one line per rule and candidate. */
function failures(figure: FigureData, { simulated, arms }: About): FigureData[] {
  const max =
    simulated.length > 0 ? curvesOfPage : Math.max(1, Math.floor(linesOfPage / (arms.length + 1.5)))
  const ends = figure.rows.filter(([rule]) => rule === '')
  const ruleFigure = { ...figure, rows: figure.rows.filter(([rule]) => rule !== '') }
  const parts = inParts(ruleFigure, ([rule]) => String(rule), max)
  return parts.map((part) => ({ ...part, rows: [...part.rows, ...ends] }))
}

const differences = (figure: FigureData): FigureData[] =>
  inParts(figure, ([a, b]) => `${a}|${b}`, pairsOfPage)

import type { ChartTerms } from './charts/chart.ts'
import { drawFans } from './charts/fan.ts'
import { drawFirstPassage } from './charts/first-passage.ts'
import { drawLinesOverTime } from './charts/lines-over-time.ts'
import { drawLiquidityMap } from './charts/liquidity-map.ts'
import { drawSlippage } from './charts/slippage.ts'
import { drawFeesAndLvr, drawPairedDifferences } from './charts/spans.ts'
import { drawVolatilitySignature } from './charts/volatility-signature.ts'
import { drawWaterfalls } from './charts/waterfalls.ts'
import type { Figure } from './figure.ts'
import { type Paper, usualPaper } from './paper.ts'
import type { Picture } from './picture.ts'

/** Draws a figure from its data alone; the same data give the same picture. */
export function drawFigure(figure: Figure, terms: ChartTerms, paper: Paper = usualPaper): Picture {
  switch (figure.kind) {
    case 'WATERFALLS':
      return drawWaterfalls(figure, terms, paper)
    case 'NET_VS_HOLD':
      return drawNetVsHold(figure, terms, paper)
    case 'DEPTH_OVER_TIME':
      return drawLinesOverTime(figure, terms, { value: 'depth', yTitle: 'depth', paper })
    case 'SLIPPAGE_BY_SIZE':
      return drawSlippage(figure, terms, paper)
    case 'LIQUIDITY_MAP':
      return drawLiquidityMap(figure, terms, paper)
    case 'FEES_AND_LVR':
      return drawFeesAndLvr(figure, terms, paper)
    case 'FIRST_PASSAGE':
      return drawFirstPassage(figure, terms, paper)
    case 'PAIRED_DIFFERENCES':
      return drawPairedDifferences(figure, terms, paper)
    case 'VOLATILITY_SIGNATURE':
      return drawVolatilitySignature(figure, terms, paper)
  }
}

/**
 * Path studies compare with the initial capital, replays with HODL. Charts of earlier releases use
 * the former for replays too.
 */
function drawNetVsHold(figure: Figure, terms: ChartTerms, paper: Paper): Picture {
  const has = (column: string) => figure.columns.some(({ name }) => name === column)
  if (has('p50')) return drawFans(figure, terms, paper)
  const lines = has('netVsHodl')
    ? { value: 'netVsHodl', yTitle: 'vs HODL' }
    : { value: 'netVsHold', yTitle: 'vs initial capital' }
  return drawLinesOverTime(figure, terms, { value: lines.value, yTitle: lines.yTitle, paper })
}

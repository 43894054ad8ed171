import { type ReportFigure, sealFigure } from './figure.ts'
import { waterfallFigures } from './figures/accounts.ts'
import { differenceFigures } from './figures/comparisons.ts'
import { failureFigures } from './figures/failures.ts'
import { liquidityMapFigures } from './figures/liquidity-map.ts'
import { depthFigures, netVsHoldFigures } from './figures/over-time.ts'
import { feesAndLvrFigures, slippageFigures } from './figures/trades.ts'
import type { Findings } from './report-input.ts'

/** Every figure that the study has data for; of a study that abstained, none. */
export function figuresOf(findings: Findings): ReportFigure[] {
  if (findings.result.state === 'ABSTAINED') return []
  return [
    ...waterfallFigures(findings),
    ...netVsHoldFigures(findings),
    ...depthFigures(findings),
    ...slippageFigures(findings),
    ...liquidityMapFigures(findings),
    ...feesAndLvrFigures(findings),
    ...failureFigures(findings),
    ...differenceFigures(findings),
  ].map(sealFigure)
}

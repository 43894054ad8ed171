import { type Drawing, drawAbstained, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawDivergence } from './divergence.ts'
import type { DrawnAnomaly } from './drawn-anomaly.ts'
import { drawTimeline } from './timeline.ts'

/** The charts of an anomaly, each with its table. Deterministic. */
export function anomalyPictures(anomaly: DrawnAnomaly, paper: Paper = usualPaper): Drawing[] {
  if (anomaly.state === 'ABSTAINED') {
    const about = { id: 'anomaly-timeline', title: 'Samples over time' }
    const gaps = anomaly.evidence.gaps.map(({ code, detail }) => `${code}: ${detail}`)
    const plain = anomaly.reasons.filter((code) => !gaps.some((gap) => gap.startsWith(`${code}:`)))
    return [drawAbstained(about, [...plain, ...gaps], paper)]
  }
  const isDivergence = anomaly.kind === 'SIMULATED_REALIZED_DIVERGENCE'
  const timeline = drawTimeline(anomaly, paper)
  return isDivergence ? [timeline, drawDivergence(anomaly, paper)] : [timeline]
}

import {
  type Drawing,
  drawAbstained,
  drawCharts,
  type Paper,
  usualPaper,
} from '@liquidity-os/drawing'
import { anomalyCharts } from '../charts.ts'
import type { AnomalyPayload } from '../subject.ts'

export default (anomaly: AnomalyPayload, paper: Paper = usualPaper): Drawing[] => {
  const { state, evidence, reasons } = anomaly
  if (state !== 'ABSTAINED') return drawCharts(anomalyCharts(anomaly), paper)
  const about = { id: 'anomaly-timeline', title: 'Samples over time' }
  const gaps = evidence.gaps.map(({ code, detail }) => `${code}: ${detail}`)
  const plain = reasons.filter((code) => !gaps.some((gap) => gap.startsWith(`${code}:`)))
  return [drawAbstained(about, [...plain, ...gaps], paper)]
}

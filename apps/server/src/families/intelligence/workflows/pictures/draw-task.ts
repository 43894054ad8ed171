import {
  type Drawing,
  drawAbstained,
  drawCharts,
  type Paper,
  usualPaper,
} from '@liquidity-os/drawing'
import { workflowCharts } from '../charts.ts'
import type { DrawnRun } from '../describe-figure.ts'

export default (drawn: DrawnRun, paper: Paper = usualPaper): Drawing[] => {
  const charts = workflowCharts(drawn)
  if (charts.length > 0) return drawCharts(charts, paper)
  const { state, reasons } = drawn.run
  const about = { id: 'workflow-result', title: 'Findings' }
  return [drawAbstained(about, reasons.length > 0 ? reasons : [state], paper)]
}

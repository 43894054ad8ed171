import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawControl } from '../../../../reports/token/draw-control.ts'
import { projectCharts } from '../charts.ts'
import type { DrawnProject } from '../drawn.ts'

export default (project: DrawnProject, paper: Paper = usualPaper): Drawing[] => [
  ...drawCharts(projectCharts(project), paper),
  ...project.readings.slice(-1).map(({ analysis }) => drawControl(analysis, paper)),
]

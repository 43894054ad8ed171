import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { projectCharts } from '../charts.ts'
import type { DrawnProject } from '../drawn.ts'

export default (project: DrawnProject, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(projectCharts(project), paper)

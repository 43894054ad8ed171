import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawControl } from '../../../../reports/token/draw-control.ts'
import { drawChanges } from './changes.ts'
import type { DrawnProject } from './drawn.ts'
import { drawHoldings } from './holdings.ts'

export default (project: DrawnProject, paper: Paper = usualPaper): Drawing[] => [
  drawChanges(project, paper),
  drawHoldings(project, paper),
  ...project.readings.slice(-1).map(({ analysis }) => drawControl(analysis, paper)),
]

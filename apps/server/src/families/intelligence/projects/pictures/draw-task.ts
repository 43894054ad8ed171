import type { Drawing } from '../../../../drawing/drawing.ts'
import { drawChanges } from './changes.ts'
import { drawControl } from './control.ts'
import type { DrawnProject } from './drawn.ts'
import { drawHoldings } from './holdings.ts'

export default (project: DrawnProject): Drawing[] => [
  drawChanges(project),
  drawHoldings(project),
  ...project.readings.slice(-1).map(drawControl),
]

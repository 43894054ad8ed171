import { type Drawing, drawAbstained, type Paper, usualPaper } from '@liquidity-os/drawing'
import type { DrawnRun } from './drawn.ts'
import { drawSection } from './section.ts'

export default (drawn: DrawnRun, paper: Paper = usualPaper): Drawing[] => {
  const { sections, state, reasons } = drawn.run
  const shown = sections.filter(({ findings }) => findings.length > 0)
  if (shown.length > 0) return shown.map((section) => drawSection(section, drawn, paper))
  const about = { id: 'workflow-result', title: 'Findings' }
  return [drawAbstained(about, reasons.length > 0 ? reasons : [state], paper)]
}

import type { Drawing } from './drawing.ts'
import { drawing } from './drawing.ts'
import { type Paper, usualPaper } from './paper.ts'
import { fitText, hatch, ink, type Picture, type Shape, textAt } from './picture.ts'

const row = 16
const max = 12

/** Placeholder for a withheld result: the reasons, without a number. */
export function drawAbstained(
  about: Pick<Picture, 'id' | 'title'>,
  reasons: readonly string[],
  paper: Paper = usualPaper,
): Drawing {
  const allReasons = reasons.length > 0 ? reasons : ['NO_REASON_GIVEN']
  const shown = allReasons.slice(0, max)
  const size = Math.max(10.5, paper.minFontSize)
  const frame = { x: 1, y: 1, width: paper.width - 2, height: 54 + row * shown.length }
  const label = `Withheld: ${about.title.toLowerCase()}`
  const shapes: Shape[] = [
    { kind: 'rect', ...frame, fill: null, stroke: { color: ink.axis, width: 0.7, dash: [4, 3] } },
    ...hatch({ x: 16, y: 16, width: 14, height: 14 }, ink.axis, 4),
    textAt(40, 28, fitText(label, paper.width - 46, 12, true), { size: 12, isBold: true }),
    ...shown.map((reason, index) =>
      textAt(40, 50 + index * row, fitText(reason, paper.width - 60, size), {
        size,
        color: ink.faint,
      }),
    ),
  ]
  return drawing(
    { ...about, description: `The result is withheld: ${allReasons.join(', ')}.` },
    { columns: ['reason'], rows: allReasons.map((reason) => [reason]) },
    { height: frame.height + 2, shapes },
    paper,
  )
}

interface Withholdable {
  readonly state: string
  readonly reasons: readonly string[]
}

/** If a record is withheld, each of its charts shows only the reasons. */
export function orReasons(
  drawings: readonly Drawing[],
  { state, reasons }: Withholdable,
  paper: Paper = usualPaper,
): Drawing[] {
  if (state !== 'ABSTAINED') return [...drawings]
  return drawings.map(({ picture: { id, title } }) => drawAbstained({ id, title }, reasons, paper))
}

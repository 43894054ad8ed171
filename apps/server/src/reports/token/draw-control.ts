import {
  type Columns,
  columnsOn,
  type Drawing,
  drawing,
  hatch,
  ink,
  type Paper,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { answerWords, type ControlLine, controlLines } from './control-lines.ts'
import { type Analysis, lights, minuteOf } from './token-words.ts'

const rowHeight = 34
const top = 44
const columns = {
  box: [16, 32],
  question: [40, 246],
  indent: [0, 16],
  answer: [250, 650],
  light: [614, 744],
} as const
type Cells = Columns<keyof typeof columns>

/** Draws the control findings of a token; unproven findings are marked as hints. */
export function drawControl(analysis: Analysis, paper: Paper): Drawing {
  const cells = columnsOn(paper, columns, [
    ['box', 'question', 'light'],
    ['indent', 'answer'],
  ])
  const height = rowHeight + cells.more
  const lines = controlLines(analysis.control)
  const [block] = analysis.blocks
  const stated = block ? `read at block ${block.number}, ${minuteOf(block.timestamp)} UTC` : 'read'
  const shapes = [
    textAt(16, 22, stated, { size: 10, color: ink.faint }),
    ...lines.flatMap((line, index) => rowOf(line, top + index * height, cells)),
  ]
  return drawing(
    {
      id: 'token-control',
      title: 'Control of the token',
      description: lines.map(({ question, answer }) => `${question} ${answer}.`).join(' '),
    },
    {
      columns: ['question', 'answer', 'status'],
      rows: lines.map(({ question, answer, light }) => [question, answer, answerWords[light]]),
    },
    { height: top + lines.length * height + 4, shapes },
    paper,
  )
}

function rowOf({ question, answer, light }: ControlLine, y: number, cells: Cells): Shape[] {
  const box = { x: 16, y: y + 1, width: 12, height: 12 }
  const color = lights[light]
  return [
    {
      kind: 'rect',
      ...box,
      fill: light === 'plain' ? color : null,
      stroke: { color, width: 1.4 },
    },
    ...(light === 'look' ? hatch(box, color, 3) : []),
    cells.words('question', y + 11, question, { size: 11, isBold: true }),
    cells.words('answer', y + 11, answer, { size: 10.5 }),
    cells.words('light', y + 11, answerWords[light], {
      size: 10,
      color: ink.faint,
      anchor: 'end',
    }),
  ]
}

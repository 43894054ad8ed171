import { type Drawing, drawing, drawingWidth } from '../../../../drawing/drawing.ts'
import { amountColors, fitText, ink, type Shape, textAt } from '../../../../drawing/picture.ts'
import type { Run, Trial } from '../records.ts'

const rowHeight = 34
const [left, right, top] = [250, drawingWidth - 20, 96]

const fills: Readonly<Record<Trial['state'], string | null>> = {
  PENDING: null,
  RUNNING: '#e2e2e2',
  COMPLETED: amountColors.gain,
  FAILED: amountColors.loss,
  INCOMPATIBLE: null,
}

/** The protocol as a card, locked or not, and below it a lane for every trial. */
export function drawTrials(run: Run): Drawing {
  const { trials, question, phase, protocolHash, budget, usage } = run
  const lock = protocolHash ? `sealed: ${protocolHash}` : 'not sealed yet'
  const shapes: Shape[] = [
    {
      ...{ kind: 'rect', x: 1, y: 1, width: drawingWidth - 2, height: 78, fill: null },
      stroke: { color: ink.axis, width: protocolHash ? 1.6 : 0.8 },
    },
    textAt(14, 22, fitText(question ?? '', drawingWidth - 40, 12, true), {
      size: 12,
      isBold: true,
    }),
    textAt(14, 42, fitText(lock, drawingWidth - 40, 9.5), { size: 9.5, color: ink.faint }),
    textAt(14, 60, phase.toLowerCase().replaceAll('_', ' '), { size: 10 }),
    ...gauge(usage.steps / budget.maximumSteps, `${usage.steps} of ${budget.maximumSteps} steps`),
    ...trials.flatMap((trial, place) => lane(trial, top + place * rowHeight)),
  ]
  return drawing(
    {
      id: 'research-trials',
      title: 'The protocol and its trials',
      description: `${phase}; ${trials.map(({ label, state }) => `${label} ${state}`).join(', ')}.`,
    },
    {
      columns: ['trial', 'label', 'state', 'attempts', 'reason'],
      rows: trials.map(({ trialKey, label, state, attempts, reason }) => [
        ...[trialKey, label, state, attempts, reason],
      ]),
    },
    { height: top + Math.max(1, trials.length) * rowHeight + 6, shapes },
  )
}

function gauge(share: number, words: string): Shape[] {
  const [x, width] = [drawingWidth - 250, 120]
  return [
    { kind: 'rect', x, y: 52, width, height: 9, fill: '#f2f2f2' },
    {
      kind: 'rect',
      x,
      y: 52,
      width: width * Math.min(1, share),
      height: 9,
      fill: amountColors.net,
    },
    textAt(x + width + 8, 60, words, { size: 9, color: ink.faint }),
  ]
}

function lane({ label, state, reason, trialKey }: Trial, y: number): Shape[] {
  const fill = fills[state]
  const said = reason === null ? state : `${state}: ${reason}`
  return [
    textAt(6, y + 12, fitText(label, left - 16, 10, true), { isBold: true }),
    textAt(6, y + 24, trialKey, { size: 9, color: ink.faint }),
    {
      ...{ kind: 'rect', x: left, y: y + 3, width: right - left, height: 10, fill },
      stroke: { color: fill ?? ink.axis, width: 0.8 },
    },
    textAt(left, y + 25, fitText(said, right - left, 9), { size: 9 }),
  ]
}

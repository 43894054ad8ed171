import {
  amountColors,
  type Drawing,
  drawing,
  drawingWidth,
  fitText,
  hatch,
  ink,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import type { Run, Trial } from '../records.ts'
import { wordsOf } from './drawn.ts'

const rowHeight = 34
const [left, right, top] = [250, drawingWidth - 20, 96]

const fills: Readonly<Record<Trial['state'], string | null>> = {
  PENDING: null,
  RUNNING: '#e2e2e2',
  COMPLETED: amountColors.gain,
  FAILED: null,
  INCOMPATIBLE: null,
}

const stateWords: Readonly<Record<Trial['state'], string>> = {
  PENDING: 'not run yet',
  RUNNING: 'running',
  COMPLETED: 'run on all its paths',
  FAILED: 'broke off',
  INCOMPATIBLE: 'could not be run',
}

/** The protocol as a card, locked or not, and below it a lane for every trial. */
export function drawTrials(run: Run): Drawing {
  const { trials, question, phase, protocolHash, budget, usage } = run
  const lock = protocolHash ? `sealed before its data: ${protocolHash}` : 'not sealed yet'
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
    textAt(14, 60, wordsOf(phase), { size: 10 }),
    ...gauge(usage.steps / budget.maximumSteps, `${usage.steps} of ${budget.maximumSteps} steps`),
    ...trials.flatMap((trial, place) => lane(trial, top + place * rowHeight)),
  ]
  return drawing(
    {
      id: 'research-trials',
      title: 'The protocol and its trials',
      description: `The run is ${wordsOf(phase)}. ${trials.map(({ label, state }) => `${label}: ${stateWords[state]}.`).join(' ')} A trial that failed stays here.`,
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
  const said = reason === null ? stateWords[state] : `${stateWords[state]}: ${reason}`
  const bar = { x: left, y: y + 3, width: right - left, height: 10 }
  const isBroken = state === 'FAILED' || state === 'INCOMPATIBLE'
  const edge = isBroken ? amountColors.loss : (fill ?? ink.axis)
  return [
    textAt(16, y + 12, fitText(label, left - 30, 10.5, true), { size: 10.5, isBold: true }),
    textAt(16, y + 25, trialKey, { size: 9.5, color: ink.faint }),
    { kind: 'rect', ...bar, fill, stroke: { color: edge, width: 0.8 } },
    ...(isBroken ? hatch(bar, amountColors.loss) : []),
    textAt(left, y + 25, fitText(said, right - left, 10), { size: 10 }),
  ]
}

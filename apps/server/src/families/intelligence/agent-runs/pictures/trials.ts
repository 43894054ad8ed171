import {
  amountColors,
  type Drawing,
  drawing,
  fitText,
  hatch,
  ink,
  isNarrow,
  letterOn,
  lineOn,
  linesOn,
  type Paper,
  type Point,
  type Shape,
  textAt,
  usualPaper,
  widthOf,
} from '@liquidity-os/drawing'
import { textOrEmpty } from '../../../../texts.ts'
import type { Run, Trial } from '../records.ts'
import { wordsOf } from './drawn.ts'

const top = 96

/** Positions of trial bars: right of their names, or below them on narrow paper. */
function placesOn(paper: Paper) {
  return isNarrow(paper)
    ? { left: 12, right: paper.width - 12, name: 12, drop: 34, rowHeight: 76, paper }
    : {
        left: (250 * paper.width) / usualPaper.width,
        right: paper.width - 20,
        name: 16,
        drop: 0,
        rowHeight: 34,
        paper,
      }
}
type Places = ReturnType<typeof placesOn>

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
  COMPLETED: 'completed on all paths',
  FAILED: 'failed',
  INCOMPATIBLE: 'incompatible',
}

/** The protocol as a card, locked or not, with one lane per trial below. */
export function drawTrials(run: Run, paper: Paper): Drawing {
  const { trials, phase } = run
  const places = placesOn(paper)
  const card = cardOf(run, paper)
  let y = top + card.more
  const lanes = trials.flatMap((trial) => {
    const lane = laneOf(trial, y, places)
    y += places.rowHeight + lane.more
    return lane.shapes
  })
  const bottom = Math.max(y, top + card.more + places.rowHeight)
  const shapes = [...card.shapes, ...lanes]
  return drawing(
    {
      id: 'research-trials',
      title: 'Protocol and trials',
      description: `The run is ${wordsOf(phase)}. ${trials.map(({ label, state }) => `${label}: ${stateWords[state]}.`).join(' ')} Failed trials stay listed.`,
    },
    {
      columns: ['trial', 'label', 'state', 'attempts', 'reason'],
      rows: trials.map(({ trialKey, label, state, attempts, reason }) => [
        ...[trialKey, label, state, attempts, reason],
      ]),
    },
    { height: bottom + 6, shapes },
    paper,
  )
}

interface Drawn {
  readonly shapes: Shape[]
  /** Height beyond usual paper, or beyond one row. */
  readonly more: number
}

/** The question, the seal of its protocol, and the progress of the run. */
function cardOf({ question, phase, protocolHash, budget, usage }: Run, paper: Paper): Drawn {
  const x = 14
  const lock = protocolHash ? `sealed before the data: ${protocolHash}` : 'not sealed yet'
  const share = usage.steps / budget.maximumSteps
  const steps = `${usage.steps} of ${budget.maximumSteps} steps`
  const end = x + paper.width - 40
  const first = lineOn(paper, { x, end, y: 22 }, textOrEmpty(question), { size: 12, isBold: true })
  const second = lineOn(paper, { x, end, y: 42 + first.more }, lock, {
    size: 9.5,
    color: ink.faint,
  })
  const more = first.more + second.more
  const below = isNarrow(paper) ? 18 : 0
  const gaugeX = isNarrow(paper) ? x : paper.width - 250
  const frame = { x: 1, y: 1, width: paper.width - 2, height: 78 + more + below }
  return {
    shapes: [
      {
        kind: 'rect',
        ...frame,
        fill: null,
        stroke: { color: ink.axis, width: protocolHash ? 1.6 : 0.8 },
      },
      ...first.shapes,
      ...second.shapes,
      textAt(x, 60 + more, wordsOf(phase), { size: 10 }),
      ...gauge(share, steps, { x: gaugeX, y: 60 + more + below }, paper),
    ],
    more: more + below,
  }
}

function gauge(share: number, words: string, { x, y }: Point, paper: Paper): Shape[] {
  const availableWidth = paper.width - x - 24 - widthOf(words, letterOn(paper, 9))
  const width = isNarrow(paper) ? Math.min(120, availableWidth) : 120
  const box = { x, y: y - 8, width, height: 9 }
  return [
    { kind: 'rect', ...box, fill: '#f2f2f2' },
    { kind: 'rect', ...box, width: box.width * Math.min(1, share), fill: amountColors.net },
    textAt(x + box.width + 8, y, words, { size: 9, color: ink.faint }),
  ]
}

function laneOf({ label, state, reason, trialKey }: Trial, top: number, places: Places): Drawn {
  const { left, right, name, drop, paper } = places
  const fill = fills[state]
  const text = reason === null ? stateWords[state] : `${stateWords[state]}: ${reason}`
  const isBroken = state === 'FAILED' || state === 'INCOMPATIBLE'
  const edge = isBroken ? amountColors.loss : (fill ?? ink.axis)
  const isReport = paper.minFontSize === 0
  const availableWidth = drop === 0 ? left - 30 : right - left
  const below = isReport ? 25 : 26
  const style = { size: 9.5, color: ink.faint } as const
  const key = isReport
    ? { shapes: [textAt(name, top + below, trialKey, style)], more: 0 }
    : linesOn(paper, { x: name, end: name + availableWidth, y: top + below }, trialKey, style)
  const y = top + drop + (drop === 0 ? 0 : key.more)
  const bar = { x: left, y: y + 3, width: right - left, height: 10 }
  const words = lineOn(paper, { x: left, end: right, y: y + below }, text)
  return {
    shapes: [
      textAt(name, top + 12, fitText(label, availableWidth, letterOn(paper, 10.5), true), {
        size: 10.5,
        isBold: true,
      }),
      ...key.shapes,
      { kind: 'rect', ...bar, fill, stroke: { color: edge, width: 0.8 } },
      ...(isBroken ? hatch(bar, amountColors.loss) : []),
      ...words.shapes,
    ],
    more: drop === 0 ? Math.max(key.more, words.more) : key.more + words.more,
  }
}

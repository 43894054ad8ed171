import {
  type Drawing,
  drawing,
  hatch,
  ink,
  lineBetween,
  type NamedRows,
  namedRows,
  type Paper,
  type Shape,
  styleOf,
  textAt,
  wordsAbove,
} from '@liquidity-os/drawing'
import { fundingUnread } from '../../../../market/flow-gaps.ts'
import { tradersFundedTogether } from '../../../../market/trader-funding.ts'
import type { ScorePayload } from '../active-score.ts'

const million = 1_000_000
const roomOf = (paper: Paper) => namedRows(paper, { left: 210, rightRoom: 170, height: 24 })
/** Where a grade begins, pips. */
const grades = [
  ['E', 0],
  ['D', 400_000],
  ['C', 550_000],
  ['B', 700_000],
  ['A', 850_000],
] as const

/** The score on its scale with interval and confidence, and what each component adds of what it could. */
export function drawContributions(score: ScorePayload, paper: Paper): Drawing {
  const { components } = score
  const room = roomOf(paper)
  const { left, right } = room
  const top = 150
  const shapes = [...scaleOf(score, room), ...confidenceOf(score, room)]
  const heaviest = Math.max(...components.map(({ weightPips }) => weightPips), 1)
  for (const [index, component] of components.entries()) {
    const { code, weightPips, contributionPips, subScorePips, raw } = component
    const y = top + index * room.height + room.drop
    const width = (weightPips / heaviest) * (right - left)
    const box = { x: left, y, width, height: 15 }
    const earned = `${pointsOf(contributionPips)} of ${pointsOf(weightPips)}`
    const said =
      raw === null ? 'no data' : `${earned}: ${rawWords(component, raw)}${limitWords(score, code)}`
    const name = wordsOf(code)
    shapes.push(
      ...(room.isNarrow
        ? wordsAbove(room, { name, value: said, top: y })
        : [textAt(left - 8, y + 11.5, name, { size: 10.5, anchor: 'end' })]),
    )
    shapes.push({ kind: 'rect', ...box, fill: null, stroke: { color: ink.axis, width: 0.7 } })
    if (subScorePips === null) shapes.push(...hatch(box, ink.axis, 6))
    else {
      const filled = { ...box, width: (contributionPips / heaviest) * (right - left) }
      shapes.push({ kind: 'rect', ...filled, fill: styleOf(0).color })
    }
    if (!room.isNarrow)
      shapes.push(textAt(left + width + 8, y + 11.5, said, { size: 10, color: ink.faint }))
  }
  const bottom = top + components.length * room.height + 14
  const { caps } = score
  if (caps.length > 0)
    shapes.push(textAt(left, bottom, `Held down by ${caps.map(wordsOf).join(', ')}`))
  const columns = ['component', 'weight', 'contribution', 'sub-score', 'raw', 'unit']
  const rows = components.map((one) => [
    ...[one.code, one.weightPips, one.contributionPips, one.subScorePips, one.raw, one.unit],
  ])
  const about = { id: 'score-contributions', title: 'What the score is made of' }
  return drawing(
    { ...about, description: describe(score) },
    { columns, rows },
    { height: bottom + 14, shapes },
    paper,
  )
}

/** The scale from 0 to 100 with the grades; empty where there is no score of any kind. */
function scaleOf(
  { scorePips, indicativeScorePips, interval90, grade, state, reasons }: ScorePayload,
  { left, right }: NamedRows,
) {
  const y = 50
  const at = (pips: number) => left + (pips / million) * (right - left)
  const shapes: Shape[] = []
  for (const [place, [letter, from]] of grades.entries()) {
    const until = grades[place + 1]?.[1] ?? million
    const fill = place % 2 === 0 ? '#f3f3f3' : '#e2e2e2'
    shapes.push({ kind: 'rect', x: at(from), y, width: at(until) - at(from), height: 20, fill })
    const middle = (at(from) + at(until)) / 2
    shapes.push(textAt(middle, y + 34, letter, { anchor: 'middle', color: ink.faint }))
  }
  const shown = scorePips ?? indicativeScorePips
  if (shown === null) {
    shapes.push(textAt(left, 34, `No score: ${reasons.map(wordsOf).join(', ')}`, { size: 12 }))
    return shapes
  }
  if (interval90) {
    const stroke = { color: ink.text, width: 1.4 }
    const [low, high] = interval90.map(at) as [number, number]
    shapes.push(lineBetween({ x: low, y: y + 10 }, { x: high, y: y + 10 }, stroke))
    for (const x of [low, high]) {
      shapes.push(lineBetween({ x, y: y + 5 }, { x, y: y + 15 }, stroke))
    }
  }
  const isHollow = scorePips === null
  const { color } = styleOf(1)
  shapes.push({ kind: 'mark', form: 'diamond', x: at(shown), y: y + 10, size: 13, color, isHollow })
  const said = isHollow
    ? `${pointsOf(shown)} (indicative: ${state.toLowerCase()})`
    : `${pointsOf(shown)} of 100, grade ${grade}`
  shapes.push(textAt(left, 34, said, { size: 13, isBold: true }))
  return shapes
}

function confidenceOf({ confidencePips }: ScorePayload, room: NamedRows): Shape[] {
  const { left, right } = room
  const y = 106 + room.drop
  const width = (confidencePips / million) * (right - left)
  const [name, value] = ['Confidence', `${pointsOf(confidencePips)} %`]
  const bars: Shape[] = [
    { kind: 'rect', x: left, y, width: right - left, height: 10, fill: '#f3f3f3' },
    { kind: 'rect', x: left, y, width, height: 10, fill: styleOf(2).color },
  ]
  if (room.isNarrow) return [...wordsAbove(room, { name, value, top: y }), ...bars]
  return [
    textAt(left - 8, y + 9, name, { size: 10.5, anchor: 'end' }),
    ...bars,
    textAt(right + 8, y + 9, value, { size: 10, color: ink.faint }),
  ]
}

/** Pips as points of a hundred. */
const pointsOf = (pips: number) => (pips / 10_000).toFixed(1)

/** A code as people read it. */
const wordsOf = (code: string) => {
  const words = code.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function rawWords({ code, unit }: ScorePayload['components'][number], raw: string): string {
  const value = Number(raw)
  if (unit === 'SECONDS') return `${value.toLocaleString('en')} s`
  if (code !== 'DEPTH')
    return `${(value / 10_000).toLocaleString('en', { maximumFractionDigits: 2 })} %`
  return `${(value / million).toLocaleString('en', { maximumSignificantDigits: 3 })} × the size`
}

/** What a share of independent flow leaves open, beside its figure. */
function limitWords({ evidence }: ScorePayload, component: string): string {
  if (component !== 'FLOW_INTEGRITY') return ''
  const has = (wanted: string) => evidence.gaps.some(({ code }) => code === wanted)
  if (has(tradersFundedTogether)) return ', traders funded together'
  return has(fundingUnread.code) ? ', funding not read' : ''
}

function describe({ scorePips, indicativeScorePips, state, grade, reasons }: ScorePayload): string {
  if (scorePips !== null) return `The market scores ${pointsOf(scorePips)} of 100, grade ${grade}.`
  const why = reasons.map(wordsOf).join(', ')
  return indicativeScorePips === null
    ? `There is no score (${state}): ${why}.`
    : `There is only an indicative score of ${pointsOf(indicativeScorePips)}: ${why}.`
}

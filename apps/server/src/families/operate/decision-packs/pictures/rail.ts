import {
  amountColors,
  type Drawing,
  drawing,
  fitText,
  ink,
  letterOn,
  linearScale,
  lineBetween,
  type NamedRows,
  namedRows,
  type Paper,
  type Shape,
  styleOf,
  textAt,
  wordsAbove,
} from '@liquidity-os/drawing'
import { countedApprovals } from '../approvals.ts'
import { dayOf } from '../document/words.ts'
import type { Pack } from '../pack-types.ts'
import type { DrawnPack } from './drawn-pack.ts'

type Evidence = Pack['evidence'][number]

/** Drawn records; the table has all. */
const maxRows = 24

/** Validity of evidence relative to the decision date, and progress of the decision. */
export function drawRail({ payload: pack }: DrawnPack, paper: Paper): Drawing {
  const rows = namedRows(paper, { left: 236, rightMargin: 14, height: 20 })
  const { left, right } = rows
  const shown = pack.evidence.slice(0, maxRows)
  const by = Date.parse(pack.decisionBy)
  const ends = shown.map(endOf)
  const from = Math.min(by, ...shown.map(({ observedAt }) => Date.parse(observedAt)))
  const to = Math.max(
    by,
    Date.parse(pack.expiresAt),
    ...ends.map((end) => Math.min(end, by * 2 - from)),
  )
  const scale = linearScale([from, to === from ? from + 1 : to], [left, right])
  const shapes: Shape[] = [textAt(6, 16, 'Evidence', { size: 11.5, isBold: true })]
  for (const [index, one] of shown.entries()) {
    const y = 40 + rows.drop + index * rows.height
    shapes.push(...recordShapes(one, { y, by, at: scale.at, to }, rows, paper))
  }
  const bottom = 40 + Math.max(1, shown.length) * rows.height - 6
  if (shown.length === 0) shapes.push(textAt(6, 46, 'No records bound.', { color: ink.faint }))
  shapes.push(
    lineBetween(
      { x: scale.at(by), y: 26 },
      { x: scale.at(by), y: bottom },
      { color: ink.text, width: 1.2, dash: [4, 2] },
    ),
    textAt(
      Math.max(Math.min(scale.at(by), right - 60), earliestDecideBy),
      20,
      `decide by ${dayOf(pack.decisionBy).slice(0, 10)}`,
      {
        size: 9,
        anchor: 'middle',
      },
    ),
  )
  const rail = railShapes(pack, bottom + 30, paper)
  const fresh = pack.evidence.filter((one) => endOf(one) >= by).length
  return drawing(
    {
      id: 'decision-evidence',
      title: 'Evidence and approvals',
      description: `${fresh} of ${pack.evidence.length} records are still valid on the decision date. ${countedApprovals(pack.approvals)} of ${pack.quorum.approvals} approvals count. Objections: ${pack.dissent.length}.`,
    },
    {
      columns: ['record', 'version', 'of', 'valid until', 'engine', 'gaps'],
      rows: pack.evidence.map((one) => [
        ...[`${one.source.resourceType} ${one.source.id}`, one.source.resourceVersion],
        ...[one.observedAt, new Date(endOf(one)).toISOString()],
        ...[one.provenance.engineVersion, one.provenance.gaps],
      ]),
    },
    { height: rail.bottom + 14, shapes: [...shapes, ...rail.shapes] },
    paper,
  )
}

/** Minimum x position, so that the date does not overlap the heading. */
const earliestDecideBy = 146

const endOf = ({ observedAt, maximumAgeSeconds }: Evidence) =>
  Date.parse(observedAt) + maximumAgeSeconds * 1000

function recordShapes(
  one: Evidence,
  { y, by, at, to }: { y: number; by: number; at: (value: number) => number; to: number },
  rows: NamedRows,
  paper: Paper,
): Shape[] {
  const holds = endOf(one) >= by
  const color = holds ? amountColors.gain : amountColors.loss
  const from = at(Date.parse(one.observedAt))
  const { source, provenance } = one
  const name = `${words(source.resourceType)} …${source.id.slice(-6)}`
  const label = provenance.gaps > 0 ? `${name}, ${provenance.gaps} gaps` : name
  const until = at(Math.min(endOf(one), to))
  const middle = y - rows.drop
  const form = holds ? 'circle' : 'cross'
  return [
    { kind: 'mark', form, x: 12, y: middle, size: 8, color, isHollow: false },
    ...(rows.isNarrow
      ? wordsAbove({ ...rows, left: 24 }, { name: label, value: '', top: y - 8 })
      : [textAt(24, y + 3.5, fitText(label, rows.left - 34, letterOn(paper, 10)), { size: 10 })]),
    { kind: 'rect', x: from, y: y - 4, width: Math.max(1.5, until - from), height: 8, fill: color },
  ]
}

const words = (resourceType: string) => resourceType.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')

/** Minimum width of an approval slot and distance between rows on screen. */
const [minPlace, placeHeight] = [110, 44]

/** One slot per required approval, filled in order of arrival, with objections below. */
function railShapes(pack: Pack, top: number, paper: Paper): { shapes: Shape[]; bottom: number } {
  const { approvals, quorum, dissent, outcome } = pack
  const places = Math.max(quorum.approvals, approvals.length)
  const all = Math.max(3, places)
  const max = Math.floor((paper.width - 12) / minPlace)
  const inRow = paper.minFontSize === 0 ? all : Math.min(all, max)
  const width = (paper.width - 12) / inRow
  const shapes: Shape[] = [textAt(6, top, 'Approvals', { size: 11.5, isBold: true })]
  for (let index = 0; index < places; index += 1) {
    const approval = approvals[index]
    const x = 6 + (index % inRow) * width
    const y = top + Math.floor(index / inRow) * placeHeight
    const box = { x, y: y + 8, width: width - 6, height: 36 }
    const isOver = index >= quorum.approvals
    shapes.push({
      kind: 'rect',
      ...box,
      fill: approval ? '#e6f2ec' : null,
      stroke: { color: isOver ? ink.grid : ink.axis, width: 1, dash: approval ? [] : [3, 2] },
    })
    const who = approval ? `${approval.role.toLowerCase()} ${approval.actor.id.slice(-8)}` : 'open'
    const noted = [
      approval ? dayOf(approval.at).slice(0, 10) : '',
      approval?.isAuthor ? 'author' : '',
      approval?.isLate ? 'late' : '',
    ]
      .filter(Boolean)
      .join(', ')
    const style = { size: 9.5, color: approval ? ink.text : ink.faint }
    shapes.push(
      textAt(x + 7, y + 23, fitText(who, width - 18, letterOn(paper, 9.5)), style),
      textAt(x + 7, y + 36, fitText(noted, width - 18, letterOn(paper, 8.5)), {
        size: 8.5,
        color: ink.faint,
      }),
    )
  }
  let y = top + 62 + (Math.ceil(Math.max(1, places) / inRow) - 1) * placeHeight
  const decided = outcome ? `${outcome.decision.toLowerCase()} on ${dayOf(outcome.decidedAt)}` : ''
  const objections = dissent.length === 0 ? '' : `objections: ${dissent.length}`
  const text = [decided, objections].filter(Boolean).join(' · ')
  if (text !== '') {
    shapes.push(textAt(6, y, text, { size: 10, isBold: true, color: styleOf(0).color }))
  } else y -= 14
  return { shapes, bottom: y }
}

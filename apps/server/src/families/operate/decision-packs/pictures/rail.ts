import {
  amountColors,
  type Drawing,
  drawing,
  drawingWidth,
  fitText,
  ink,
  linearScale,
  lineBetween,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { countedApprovals } from '../approvals.ts'
import { dayOf } from '../document/words.ts'
import type { Pack } from '../pack-types.ts'
import type { DrawnPack } from './pack-pictures.ts'

type Evidence = Pack['evidence'][number]

const left = 236
const right = drawingWidth - 14
const rowHeight = 20
/** Records that are drawn; the table has all. */
const mostRows = 24

/** How long each record holds beside the day of the decision, and how far the decision is. */
export function drawRail({ payload: pack }: DrawnPack): Drawing {
  const shown = pack.evidence.slice(0, mostRows)
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
  for (const [place, one] of shown.entries()) {
    shapes.push(...recordShapes(one, { y: 40 + place * rowHeight, by, at: scale.at, to }))
  }
  const bottom = 40 + Math.max(1, shown.length) * rowHeight - 6
  if (shown.length === 0) shapes.push(textAt(6, 46, 'No record is bound.', { color: ink.faint }))
  shapes.push(
    lineBetween(
      { x: scale.at(by), y: 26 },
      { x: scale.at(by), y: bottom },
      { color: ink.text, width: 1.2, dash: [4, 2] },
    ),
    textAt(
      Math.min(scale.at(by), right - 60),
      20,
      `decide by ${dayOf(pack.decisionBy).slice(0, 10)}`,
      {
        ...{ size: 9, anchor: 'middle' },
      },
    ),
  )
  const rail = railShapes(pack, bottom + 30)
  const fresh = pack.evidence.filter((one) => endOf(one) >= by).length
  return drawing(
    {
      id: 'decision-evidence',
      title: 'What the decision rests on, and how far it is',
      description: `${fresh} of ${pack.evidence.length} records still hold on the day of the decision. ${countedApprovals(pack.approvals)} of ${pack.quorum.approvals} approvals count; Objections kept: ${pack.dissent.length}.`,
    },
    {
      columns: ['record', 'version', 'of', 'holds until', 'engine', 'gaps'],
      rows: pack.evidence.map((one) => [
        ...[`${one.source.resourceType} ${one.source.id}`, one.source.resourceVersion],
        ...[one.observedAt, new Date(endOf(one)).toISOString()],
        ...[one.provenance.engineVersion, one.provenance.gaps],
      ]),
    },
    { height: rail.bottom + 14, shapes: [...shapes, ...rail.shapes] },
  )
}

const endOf = ({ observedAt, maximumAgeSeconds }: Evidence) =>
  Date.parse(observedAt) + maximumAgeSeconds * 1000

function recordShapes(
  one: Evidence,
  { y, by, at, to }: { y: number; by: number; at: (value: number) => number; to: number },
): Shape[] {
  const holds = endOf(one) >= by
  const color = holds ? amountColors.gain : amountColors.loss
  const from = at(Date.parse(one.observedAt))
  const { source, provenance } = one
  const name = `${words(source.resourceType)} …${source.id.slice(-6)}`
  const said = provenance.gaps > 0 ? `${name}, ${provenance.gaps} gaps` : name
  const until = at(Math.min(endOf(one), to))
  return [
    {
      ...({ kind: 'mark', form: holds ? 'circle' : 'cross', x: 12, y, size: 8, color } as const),
      isHollow: false,
    },
    textAt(24, y + 3.5, fitText(said, left - 34, 10), { size: 10 }),
    { kind: 'rect', x: from, y: y - 4, width: Math.max(1.5, until - from), height: 8, fill: color },
  ]
}

const words = (resourceType: string) => resourceType.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')

/** A place for every approval that is needed, filled in the order in which they came; objections beneath. */
function railShapes(pack: Pack, top: number): { shapes: Shape[]; bottom: number } {
  const { approvals, quorum, dissent, outcome } = pack
  const places = Math.max(quorum.approvals, approvals.length)
  const width = (drawingWidth - 12) / Math.max(3, places)
  const shapes: Shape[] = [textAt(6, top, 'Approvals', { size: 11.5, isBold: true })]
  for (let place = 0; place < places; place += 1) {
    const approval = approvals[place]
    const x = 6 + place * width
    const box = { x, y: top + 8, width: width - 6, height: 36 }
    const isOver = place >= quorum.approvals
    shapes.push({
      ...({ kind: 'rect', ...box, fill: approval ? '#e6f2ec' : null } as const),
      stroke: { color: isOver ? ink.grid : ink.axis, width: 1, dash: approval ? [] : [3, 2] },
    })
    const who = approval ? `${approval.role.toLowerCase()} ${approval.actor.id.slice(-8)}` : 'open'
    const notes = [
      approval ? dayOf(approval.at).slice(0, 10) : '',
      approval?.isAuthor ? 'wrote it' : '',
      approval?.isLate ? 'late' : '',
    ]
    const style = { size: 9.5, color: approval ? ink.text : ink.faint }
    shapes.push(
      textAt(x + 7, top + 23, fitText(who, width - 18, 9.5), style),
      textAt(x + 7, top + 36, fitText(notes.filter(Boolean).join(', '), width - 18, 8.5), {
        ...{ size: 8.5, color: ink.faint },
      }),
    )
  }
  let y = top + 62
  const decided = outcome ? `${outcome.decision.toLowerCase()} on ${dayOf(outcome.decidedAt)}` : ''
  const objections = dissent.length === 0 ? '' : `objections: ${dissent.length}`
  const said = [decided, objections].filter(Boolean).join(' · ')
  if (said !== '') {
    shapes.push(textAt(6, y, said, { size: 10, isBold: true, color: styleOf(0).color }))
  } else y -= 14
  return { shapes, bottom: y }
}

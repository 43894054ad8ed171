import type { contract } from '@liquidity-os/contract'
import {
  type Columns,
  columnsOn,
  type Drawing,
  drawing,
  emptyNotes,
  ink,
  lineBetween,
  noteOn,
  type Paper,
  type Shape,
} from '@liquidity-os/drawing'
import { minuteOf } from './drawn.ts'

type Answer = contract.PartnerDomainAnswer

const [top, rowHeight] = [60, 30]
const answersShown = 16

const verdicts: Readonly<Record<contract.PartnerDomainCheck['verdict'], string>> = {
  PROVEN: 'proven',
  NOT_PROVEN: 'not proven',
  SPLIT: 'the servers disagree',
  UNANSWERED: 'no authoritative server responded',
}

const outcomes: Readonly<Record<Answer['outcome'], string>> = {
  PROVEN: 'has the exact value',
  OTHER_VALUE: 'has another value',
  ABSENT: 'has no such record',
  ALIAS: 'is an alias (CNAME)',
  WILDCARD: 'wildcard: any name',
  SILENT: 'did not respond',
  NOT_ASKED: 'not queried',
}

/** Answer per name server in the newest check, and the results of earlier checks. */
export function drawAnswers(
  { displayHost, observations, failing }: contract.PartnerDomainChallenge,
  paper: Paper,
): Drawing {
  const [newest] = observations
  const about = {
    id: 'partner-domain-answers',
    title: `DNS answers for ${displayHost}`,
    description: newest
      ? `Checked ${minuteOf(newest.at)}: ${verdicts[newest.verdict]}${failing ? `, and ${failing.checks} checks in a row did not prove it` : ''}.`
      : 'Not checked yet.',
  }
  const answers = newest?.answers.slice(0, answersShown) ?? []
  const table = {
    columns: ['server', 'address', 'role', 'outcome', 'detail'],
    rows: (newest?.answers ?? []).map(({ server, address, role, outcome, detail }) => [
      ...[server, address, role, outcome, detail],
    ]),
  }
  if (!newest) {
    const box = { x: 0, y: 0, width: paper.width, height: 60 }
    const rows = [['', null, '', '', about.description]]
    return drawing(
      about,
      { ...table, rows },
      { height: 60, shapes: emptyNotes(box, about.description) },
      paper,
    )
  }
  const cells = columnsOn(paper, paper.minFontSize === 0 ? columns : screenColumns, [
    ['mark', 'server'],
    ['indent', 'address'],
    ['indent', 'role'],
    ['indent', 'outcome'],
  ])
  const head = noteOn(paper, { x: 16, y: 22 }, about.description, { size: 11, isBold: true })
  const first = top + head.more
  const bottom = first + answers.length * (rowHeight + cells.more)
  const earlier = observations
    .slice(1, 4)
    .map(({ at, verdict }) => `${minuteOf(at)} ${verdicts[verdict]}`)
  const before = earlier.length === 0 ? 'no earlier check' : `before: ${earlier.join(' · ')}`
  const foot = noteOn(paper, { x: 16, y: bottom + 14 }, before, { size: 10, color: ink.faint })
  const shapes = [
    ...head.shapes,
    ...answers.flatMap((answer, index) =>
      rowOf(answer, first + index * (rowHeight + cells.more), cells, paper),
    ),
    ...foot.shapes,
  ]
  return drawing(about, table, { height: bottom + 26 + foot.more, shapes }, paper)
}

const columns = {
  mark: [16, 32],
  server: [40, 270],
  indent: [0, 16],
  address: [280, 430],
  role: [436, 590],
  outcome: [560, 744],
} as const
/** The larger font for roles on screen leaves less width for outcomes. */
const screenColumns = {
  ...columns,
  server: [40, 252],
  address: [258, 392],
  role: [398, 562],
  outcome: [568, 752],
} as const
type Cells = Columns<keyof typeof columns>

function rowOf(
  { server, address, role, outcome }: Answer,
  y: number,
  cells: Cells,
  paper: Paper,
): Shape[] {
  const isProven = outcome === 'PROVEN'
  const color = isProven
    ? '#009e73'
    : outcome === 'NOT_ASKED' || outcome === 'SILENT'
      ? ink.axis
      : '#d55e00'
  const who = role === 'AUTHORITATIVE' ? 'authoritative' : 'resolver of the service'
  return [
    lineBetween(
      { x: 16, y: y - 9 },
      { x: paper.width - 16, y: y - 9 },
      { color: ink.grid, width: 0.7 },
    ),
    {
      kind: 'mark',
      form: isProven ? 'circle' : 'cross',
      x: 23,
      y: y + 6,
      size: 8,
      color,
      isHollow: false,
    },
    cells.words('server', y + 10, server, { size: 10.5, isBold: true }),
    cells.words('address', y + 10, address ?? 'no address', { size: 10, color: ink.faint }),
    cells.words('role', y + 10, who, { size: 10, color: ink.faint }),
    cells.words('outcome', y + 10, outcomes[outcome], {
      size: 10.5,
      anchor: cells.isStacked ? 'start' : 'end',
    }),
  ]
}

import type { contract } from '@liquidity-os/contract'
import {
  type Drawing,
  drawing,
  drawingWidth,
  emptyNote,
  fitText,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { minuteOf } from './drawn.ts'

type Answer = contract.PartnerDomainAnswer

const [top, rowHeight] = [60, 30]
const answersShown = 16

const verdicts: Readonly<Record<contract.PartnerDomainCheck['verdict'], string>> = {
  PROVEN: 'proven',
  NOT_PROVEN: 'not proven',
  SPLIT: 'some servers have it and some do not',
  UNANSWERED: 'no server of the zone answered',
}

const outcomes: Readonly<Record<Answer['outcome'], string>> = {
  PROVEN: 'has the exact value',
  OTHER_VALUE: 'has another value',
  ABSENT: 'has no such record',
  ALIAS: 'names another host',
  WILDCARD: 'answers so for any name',
  SILENT: 'did not answer',
  NOT_ASKED: 'not asked',
}

/** What every name server said in the newest check, and what the checks before came to. */
export function drawAnswers({
  displayHost,
  observations,
  failing,
}: contract.PartnerDomainChallenge): Drawing {
  const [newest] = observations
  const about = {
    id: 'partner-domain-answers',
    title: `What name servers say of ${displayHost}`,
    description: newest
      ? `Checked ${minuteOf(newest.at)}: ${verdicts[newest.verdict]}${failing ? `, and ${failing.checks} checks in a row did not prove it` : ''}.`
      : 'It was not checked yet.',
  }
  const answers = newest?.answers.slice(0, answersShown) ?? []
  const table = {
    columns: ['server', 'address', 'role', 'outcome', 'in words'],
    rows: (newest?.answers ?? []).map(({ server, address, role, outcome, detail }) => [
      ...[server, address, role, outcome, detail],
    ]),
  }
  if (!newest) {
    const box = { x: 0, y: 0, width: drawingWidth, height: 60 }
    const rows = [['', null, '', '', about.description]]
    return drawing(
      about,
      { ...table, rows },
      { height: 60, shapes: [emptyNote(box, about.description)] },
    )
  }
  const bottom = top + answers.length * rowHeight
  const earlier = observations
    .slice(1, 4)
    .map(({ at, verdict }) => `${minuteOf(at)} ${verdicts[verdict]}`)
  const before = earlier.length === 0 ? 'no check before' : `before: ${earlier.join(' · ')}`
  return drawing(about, table, {
    height: bottom + 26,
    shapes: [
      textAt(16, 22, about.description, { size: 11, isBold: true }),
      ...answers.flatMap((answer, place) => rowOf(answer, top + place * rowHeight)),
      textAt(16, bottom + 14, fitText(before, 728, 10), { size: 10, color: ink.faint }),
    ],
  })
}

function rowOf({ server, address, role, outcome }: Answer, y: number): Shape[] {
  const isProven = outcome === 'PROVEN'
  const color = isProven
    ? '#009e73'
    : outcome === 'NOT_ASKED' || outcome === 'SILENT'
      ? ink.axis
      : '#d55e00'
  const who = role === 'AUTHORITATIVE' ? 'server of the zone' : 'resolver of this service'
  return [
    lineBetween({ x: 16, y: y - 9 }, { x: 744, y: y - 9 }, { color: ink.grid, width: 0.7 }),
    {
      ...{ kind: 'mark', form: isProven ? 'circle' : 'cross', x: 23, y: y + 6, size: 8, color },
      isHollow: false,
    },
    textAt(40, y + 10, fitText(server, 230, 10.5, true), { size: 10.5, isBold: true }),
    textAt(280, y + 10, fitText(address ?? 'no address', 150, 10), { size: 10, color: ink.faint }),
    textAt(436, y + 10, who, { size: 10, color: ink.faint }),
    textAt(744, y + 10, outcomes[outcome], { size: 10.5, anchor: 'end' }),
  ]
}

import { type Drawing, drawing } from '../../../../drawing/drawing.ts'
import { fitText, hatch, ink, type Shape, textAt } from '../../../../drawing/picture.ts'
import { lights, minuteOf, type Reading, shortAddress } from './drawn.ts'

type Control = Reading['analysis']['control']
type Light = keyof typeof lights

interface Line {
  readonly question: string
  readonly answer: string
  readonly light: Light
}

const rowHeight = 34
const top = 44
const answers: Readonly<Record<Light, string>> = {
  plain: 'nothing found',
  look: 'worth a look',
  unread: 'not read',
}

/** Who may change what the token is, as far as the chain tells at a glance; a hint is called one. */
export function drawControl(reading: Reading): Drawing {
  const { analysis } = reading
  const lines = linesOf(analysis.control)
  const [block] = analysis.blocks
  const said = block ? `read at block ${block.number}, ${minuteOf(block.timestamp)} UTC` : 'read'
  const shapes = [
    textAt(16, 22, said, { size: 10, color: ink.faint }),
    ...lines.flatMap((line, place) => rowOf(line, top + place * rowHeight)),
  ]
  return drawing(
    {
      id: 'project-control',
      title: 'Who may change what the token is',
      description: lines.map(({ question, answer }) => `${question} ${answer}.`).join(' '),
    },
    {
      columns: ['question', 'answer', 'how it stands'],
      rows: lines.map(({ question, answer, light }) => [question, answer, answers[light]]),
    },
    { height: top + lines.length * rowHeight + 4, shapes },
  )
}

function rowOf({ question, answer, light }: Line, y: number): Shape[] {
  const box = { x: 16, y: y + 1, width: 12, height: 12 }
  const color = lights[light]
  return [
    {
      ...{ kind: 'rect', ...box, fill: light === 'plain' ? color : null },
      stroke: { color, width: 1.4 },
    },
    ...(light === 'look' ? hatch(box, color, 3) : []),
    textAt(40, y + 11, question, { size: 11, isBold: true }),
    textAt(250, y + 11, fitText(answer, 400, 10.5), { size: 10.5 }),
    textAt(744, y + 11, answers[light], { size: 10, color: ink.faint, anchor: 'end' }),
  ]
}

function linesOf({ proxy, implementation, owner, ownerKind, mint, pause }: Control): Line[] {
  const unread = { answer: 'could not be read', light: 'unread' } as const
  const named = (value: string | null) => (value === null ? 'a contract' : shortAddress(value))
  return [
    {
      question: 'Can its code be replaced?',
      ...(proxy.value === null
        ? unread
        : proxy.value === 'NONE'
          ? { answer: 'no proxy by its code and storage', light: 'plain' }
          : {
              answer: `it runs the code of ${named(implementation.value)} (${proxy.value})`,
              light: 'look',
            }),
    },
    {
      question: 'Does it have an owner?',
      ...(owner.value === null
        ? unread
        : owner.value === 'NONE'
          ? { answer: 'owner() names nobody, or does not exist', light: 'plain' }
          : {
              answer: `${shortAddress(owner.value)}, ${ownerWords[ownerKind.value ?? '']}`,
              light: 'look',
            }),
    },
    hintOf('Can more be minted?', 'mint', mint.value, unread),
    hintOf('Can transfers be paused?', 'pause', pause.value, unread),
  ]
}

const ownerWords: Readonly<Record<string, string>> = {
  '': 'of a kind that could not be read',
  NONE: 'nobody',
  EOA: 'a single key',
  EIP7702: 'a single key that delegates to code',
  SAFE: 'a Safe',
  CONTRACT: 'a contract',
}

function hintOf(
  question: string,
  name: string,
  value: 'SELECTOR' | 'ABSENT' | null,
  unread: Pick<Line, 'answer' | 'light'>,
): Line {
  if (value === null) return { question, ...unread }
  return value === 'ABSENT'
    ? { question, answer: `its code knows no usual ${name} function`, light: 'plain' }
    : {
        question,
        answer: `its code knows a ${name} function: a hint, no proof of who may`,
        light: 'look',
      }
}

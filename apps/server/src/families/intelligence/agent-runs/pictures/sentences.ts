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
  widthOf,
  wrapText,
} from '@liquidity-os/drawing'
import {
  type DrawnRun,
  figureText,
  type Report,
  researchOf,
  unitWords,
  verdictWords,
  wordsOf,
} from './drawn.ts'

type Sentence = Report['narrative']['sentences'][number]
type Citation = Sentence['citations'][number]

interface Cited {
  /** Where it stands, as people say it. */
  readonly place: string
  /** With its unit. */
  readonly value: string
}

const sentencesShown = 16
const [left, middle, right, top] = [40, 420, 744, 44]
const [lineHeight, citedHeight] = [15, 14]

/** Every sentence of the report beside what it stands on; a figure in it is one of these or the sentence is not there. */
export function drawSentences({ run, quoteDecimals }: DrawnRun): Drawing {
  const report = researchOf(run)
  const sentences = report?.narrative.sentences ?? []
  const dropped = report?.narrative.droppedSentences ?? 0
  const about = {
    id: 'research-sentences',
    title: 'What the report says, and what each sentence stands on',
    description: report
      ? `${sentences.length} sentences, each of which stands on members of the report; ${dropped} of the draft did not and were left out.`
      : 'There is no report yet.',
  }
  const table = {
    columns: ['sentence', 'stands on', 'value'],
    rows: sentences.flatMap(({ text, citations }) =>
      citations.map(({ pointer, value }) => [text, pointer, value]),
    ),
  }
  if (!report || sentences.length === 0) {
    const box = { x: 0, y: 0, width: drawingWidth, height: 50 }
    const words = report ? 'The report says nothing.' : about.description
    return drawing(about, table, { height: 50, shapes: [emptyNote(box, words)] })
  }
  let y = top
  const shapes: Shape[] = [
    textAt(left, 22, 'the sentence', { size: 10, color: ink.faint }),
    textAt(middle, 22, 'stands on', { size: 10, color: ink.faint }),
  ]
  for (const [place, sentence] of sentences.slice(0, sentencesShown).entries()) {
    const { height, drawn } = rowOf(sentence, place + 1, y, { report, quoteDecimals })
    shapes.push(...drawn)
    y += height
  }
  const hidden = sentences.length - sentencesShown
  const end = [
    ...(hidden > 0 ? [`${hidden} more in the record`] : []),
    ...(dropped > 0 ? [`${dropped} of the draft stood on nothing and were left out`] : []),
  ]
  if (end.length > 0)
    shapes.push(textAt(left, y + 10, end.join('; '), { size: 10, color: ink.faint }))
  return drawing(about, table, { height: y + (end.length > 0 ? 20 : 4), shapes })
}

interface Terms {
  readonly report: Report
  readonly quoteDecimals: number | null
}

function rowOf(sentence: Sentence, number: number, y: number, terms: Terms) {
  const cited = sentence.citations.map((one) => citedOf(one, terms))
  const lines = wrapText(spoken(sentence, cited), middle - left - 24, 10.5)
  const height = Math.max(lines.length * lineHeight, cited.length * citedHeight) + 14
  const drawn: Shape[] = [
    lineBetween({ x: 16, y: y - 10 }, { x: right, y: y - 10 }, { color: ink.grid, width: 0.7 }),
    textAt(16, y + 6, `${number}`, { size: 10, color: ink.faint }),
    ...lines.map((line, at) => textAt(left, y + 6 + at * lineHeight, line, { size: 10.5 })),
    ...cited.flatMap(({ place, value }, at) => {
      const base = y + 6 + at * citedHeight
      const shown = fitText(value, 180, 10, true)
      return [
        textAt(middle, base, fitText(place, right - middle - widthOf(shown, 10, true) - 12, 10), {
          ...{ size: 10, color: ink.faint },
        }),
        textAt(right, base, shown, { size: 10, anchor: 'end', isBold: true }),
      ]
    }),
  ]
  return { height, drawn }
}

/** The sentence with its amounts in whole tokens and its codes as words: the record has them in atoms and as codes. */
function spoken({ text, citations }: Sentence, cited: readonly Cited[]): string {
  return citations.reduce((told, { value }, place) => {
    const words = cited[place]?.value ?? value
    if (words === value) return told
    const isFigure = /^-?\d+$/.test(value)
    const found = isFigure
      ? new RegExp(`(?<![\\d-])${value}(?!\\d)( pips)?`)
      : new RegExp(`“${value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}”`)
    return told.replace(found, () => words)
  }, text)
}

const amounts: readonly string[] = ['mean', 'low', 'high', 'value', 'threshold', 'p05', 'p95']

function citedOf({ pointer, value }: Citation, { report, quoteDecimals }: Terms): Cited {
  const parts = pointer.split('/').slice(1)
  const name = parts.at(-1) ?? ''
  const place = placeOf(parts)
  if (!/^-?\d+$/.test(value)) return { place, value: nameText(name, value) }
  if (name.endsWith('Pips')) return { place, value: `${figureText(value, 'PIPS', null)} %` }
  if (!amounts.includes(name)) return { place, value }
  const metric = metricAt(parts, report)
  const unit =
    metric === 'TIME_IN_RANGE' ? 'PIPS' : metric === null ? report.primary.unit : 'QUOTE_ATOMS'
  return {
    place,
    value: `${figureText(value, unit, quoteDecimals)} ${unitWords(unit, quoteDecimals)}`,
  }
}

/** The metric of a guardrail that a pointer leads to; null anywhere else. */
function metricAt([list, place, rails, rail]: readonly string[], report: Report) {
  if (list !== 'alternatives' || rails !== 'guardrails') return null
  return report.alternatives[Number(place)]?.guardrails[Number(rail)]?.metric ?? null
}

function nameText(name: string, value: string): string {
  if (name === 'verdict') return verdictWords[value as keyof typeof verdictWords] ?? value
  if (name === 'direction') return value === 'HIGHER' ? 'higher' : 'lower'
  return /^[A-Z][A-Z0-9_]+$/.test(value) ? wordsOf(value) : value
}

/** `/alternatives/0/difference/mean` as people say it; whose it is the sentence says. */
const placeOf = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== 'alternatives' && !/^\d+$/.test(part))
    .map((part) =>
      part
        .replace(/Pips$/, '')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase(),
    )
    .join(', ')

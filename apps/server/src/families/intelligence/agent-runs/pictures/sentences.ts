import {
  breakText,
  type Drawing,
  drawing,
  emptyNotes,
  fitText,
  ink,
  isNarrow,
  letterOn,
  lineBetween,
  linesOn,
  noteOn,
  type Paper,
  type Shape,
  textAt,
  usualPaper,
  widthOf,
  wrapText,
} from '@liquidity-os/drawing'
import { textAfterLast } from '../../../../texts.ts'
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
  /** Position in the report, as readable text. */
  readonly place: string
  /** With its unit. */
  readonly value: string
}

const sentencesShown = 16
const top = 44
const [lineHeight, citedHeight, screenLineHeight] = [15, 14, 16]

/** Positions of sentences and their citations: side by side, or stacked on narrow paper. */
function placesOn(paper: Paper) {
  if (isNarrow(paper)) {
    const right = paper.width - 12
    return { number: 8, left: 26, end: right, middle: 42, right, isStacked: true, paper }
  }
  const scale = paper.width / usualPaper.width
  const middle = 420 * scale
  return {
    number: 16,
    left: 40,
    end: middle - 24,
    middle,
    right: 744 * scale,
    isStacked: false,
    paper,
  }
}
type Places = ReturnType<typeof placesOn>

/**
 * Every sentence of the report with its citations. The report rejects sentences with uncited
 * figures.
 */
export function drawSentences({ run, quoteDecimals }: DrawnRun, paper: Paper): Drawing {
  const report = researchOf(run)
  const sentences = report?.narrative.sentences ?? []
  const dropped = report?.narrative.droppedSentences ?? 0
  const about = {
    id: 'research-sentences',
    title: 'Report sentences and their sources',
    description: report
      ? `${sentences.length} sentences, each with a source in the report. ${dropped} draft sentences without a source were left out.`
      : 'No report yet.',
  }
  const table = {
    columns: ['sentence', 'sources', 'value'],
    rows: sentences.flatMap(({ text, citations }) =>
      citations.map(({ pointer, value }) => [text, pointer, value]),
    ),
  }
  if (!report || sentences.length === 0) {
    const box = { x: 0, y: 0, width: paper.width, height: 50 }
    const words = report ? 'The report has no sentences.' : about.description
    return drawing(about, table, { height: 50, shapes: emptyNotes(box, words) }, paper)
  }
  const places = placesOn(paper)
  const { left, middle, right, isStacked } = places
  const head = { size: 10, color: ink.faint } as const
  let y = top
  const shapes: Shape[] = [
    textAt(left, 22, 'sentence', head),
    isStacked
      ? textAt(right, 22, 'and sources', { ...head, anchor: 'end' })
      : textAt(middle, 22, 'sources', head),
  ]
  for (const [index, sentence] of sentences.slice(0, sentencesShown).entries()) {
    const { height, drawn } = rowOf(sentence, index + 1, y, { report, quoteDecimals, places })
    shapes.push(...drawn)
    y += height
  }
  const hidden = sentences.length - sentencesShown
  const end = [
    ...(hidden > 0 ? [`${hidden} more in the record`] : []),
    ...(dropped > 0 ? [`${dropped} draft sentences without a source were left out`] : []),
  ]
  const foot = noteOn(paper, { x: left, y: y + 10 }, end.join('; '), head)
  if (end.length > 0) shapes.push(...foot.shapes)
  return drawing(about, table, { height: y + (end.length > 0 ? 20 + foot.more : 4), shapes }, paper)
}

interface Terms {
  readonly report: Report
  readonly quoteDecimals: number | null
  readonly places: Places
}

function rowOf(sentence: Sentence, number: number, y: number, terms: Terms) {
  const { places } = terms
  const cited = sentence.citations.map((one) => citedOf(one, terms))
  const { left, end, isStacked, paper } = places
  const text = spoken(sentence, cited)
  const isReport = paper.minFontSize === 0
  const lines = isReport
    ? wrapText(text, end - left, 10.5)
    : breakText(text, end - left, letterOn(paper, 10.5))
  const step = isReport ? lineHeight : screenLineHeight
  const first = y + 6
  const below = isStacked ? first + lines.length * step + 2 : first
  const stands = isReport
    ? {
        shapes: cited.flatMap((one, at) => reportCited(one, first + at * citedHeight, places)),
        height: cited.length * citedHeight,
      }
    : screenCited(cited, below, places)
  const spokenHeight = lines.length * step
  const height = isStacked
    ? spokenHeight + 2 + stands.height + 16
    : Math.max(spokenHeight, stands.height) + 14
  const drawn: Shape[] = [
    lineBetween(
      { x: places.number, y: y - 10 },
      { x: places.right, y: y - 10 },
      { color: ink.grid, width: 0.7 },
    ),
    textAt(places.number, first, `${number}`, { size: 10, color: ink.faint }),
    ...lines.map((line, at) => textAt(left, first + at * step, line, { size: 10.5 })),
    ...stands.shapes,
  ]
  return { height, drawn }
}

const placeStyle = { size: 10, color: ink.faint } as const
const valueStyle = { size: 10, anchor: 'end', isBold: true } as const

function reportCited({ place, value }: Cited, y: number, { middle, right }: Places): Shape[] {
  const shown = fitText(value, 180, 10, true)
  const availableWidth = right - middle - widthOf(shown, 10, true) - 12
  return [
    textAt(middle, y, fitText(place, availableWidth, 10), placeStyle),
    textAt(right, y, shown, valueStyle),
  ]
}

/** Position and value of a figure on one line, or on two lines if they do not fit. */
function screenCited(cited: readonly Cited[], y: number, { middle, right, paper }: Places) {
  let at = y
  const letter = letterOn(paper, 10)
  const shapes = cited.flatMap(({ place, value }) => {
    const availableWidth = right - middle - widthOf(value, letter, true) - 12
    const isOneLine = widthOf(place, letter) <= availableWidth
    const where = linesOn(paper, { x: middle, end: right, y: at }, place, placeStyle)
    if (!isOneLine) at += where.more + screenLineHeight
    const what = linesOn(paper, { x: middle, end: right, y: at }, value, valueStyle)
    at += what.more + screenLineHeight
    return [...where.shapes, ...what.shapes]
  })
  return { shapes, height: at - y }
}

/** The sentence with amounts in whole tokens and readable codes: the record has atoms and codes. */
function spoken({ text, citations }: Sentence, cited: readonly Cited[]): string {
  return citations.reduce((sentence, { value }, index) => {
    const words = cited[index]?.value ?? value
    if (words === value) return sentence
    const isFigure = /^-?\d+$/.test(value)
    const found = isFigure
      ? new RegExp(`(?<![\\d-])${value}(?!\\d)( pips)?`)
      : new RegExp(`“${value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}”`)
    return sentence.replace(found, () => words)
  }, text)
}

const amounts: readonly string[] = ['mean', 'low', 'high', 'value', 'threshold', 'p05', 'p95']

function citedOf({ pointer, value }: Citation, { report, quoteDecimals }: Terms): Cited {
  const parts = pointer.split('/').slice(1)
  const name = textAfterLast(pointer, '/')
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

/** The guardrail metric at a pointer; null elsewhere. */
function metricAt([list, place, rails, rail]: readonly string[], report: Report) {
  if (list !== 'alternatives' || rails !== 'guardrails') return null
  return report.alternatives[Number(place)]?.guardrails[Number(rail)]?.metric ?? null
}

function nameText(name: string, value: string): string {
  if (name === 'verdict') return verdictWords[value as keyof typeof verdictWords] ?? value
  if (name === 'direction') return value === 'HIGHER' ? 'higher' : 'lower'
  return /^[A-Z][A-Z0-9_]+$/.test(value) ? wordsOf(value) : value
}

/** `/alternatives/0/difference/mean` as readable text. The sentence names the alternative. */
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

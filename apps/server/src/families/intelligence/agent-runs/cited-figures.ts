import { textAfterLast } from '../../../texts.ts'
import { figureText, type Report, unitWords, verdictWords, wordsOf } from './drawn.ts'

type Sentence = Report['narrative']['sentences'][number]
type Citation = Sentence['citations'][number]

/** Report and decimals that give a figure its unit. */
interface Terms {
  readonly report: Report
  readonly quoteDecimals: number | null
}

interface Cited {
  /** Position in the report, as readable text. */
  readonly place: string
  /** With its unit. */
  readonly value: string
}

/** The sentence with amounts in whole tokens and readable codes: the record has atoms and codes. */
export function spoken({ text, citations }: Sentence, cited: readonly Cited[]): string {
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

export function citedOf({ pointer, value }: Citation, { report, quoteDecimals }: Terms): Cited {
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

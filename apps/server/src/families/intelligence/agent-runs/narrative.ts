import type { contract } from '@liquidity-os/contract'
import { required } from '../../../required.ts'
import { valueAt } from '../../json-pointer.ts'
import type { Analysis } from './build-analysis.ts'

type Sentence = contract.GroundedSentence
type Citation = Sentence['citations'][number]
type Alternative = Analysis['alternatives'][number]

/** A placeholder of a template: a name is quoted, a figure is not. */
type Hole = { readonly at: string; readonly as: 'NAME' | 'FIGURE' }
export const name = (at: string): Hole => ({ at, as: 'NAME' })
export const figure = (at: string): Hole => ({ at, as: 'FIGURE' })

/** Returns a sentence writer for a report. Placeholders cite values at report pointers. */
export const sentencesAbout =
  (report: unknown) =>
  (parts: TemplateStringsArray, ...holes: Hole[]): Sentence =>
    filled(report, parts, holes)

/**
 * Writes the sentences of a report from templates. Placeholders contain data from the analysis,
 * which is untrusted; the template text is fixed.
 */
export function writeSentences(analysis: Analysis): Sentence[] {
  const write = sentencesAbout(analysis)
  return [
    write`Question: ${name('/question')}.`,
    write`Primary metric: ${name('/primary/metric')}, where ${name('/primary/direction')} is better. Joint confidence over all alternatives: ${figure('/primary/confidencePips')} pips.`,
    ...(analysis.state === 'ABSTAINED'
      ? [write`State: ${name('/state')}. No comparison: ${name('/reasons/0')}.`]
      : [
          write`The baseline has a mean of ${figure('/baseline/primary/mean')} over ${figure('/baseline/primary/paths')} paths.`,
        ]),
    ...analysis.alternatives.flatMap((alternative, index) =>
      sentencesOf(alternative, `/alternatives/${index}`, write),
    ),
    ...(analysis.state === 'PARTIAL'
      ? [write`State: ${name('/state')}. Reason: ${name('/reasons/0')}.`]
      : []),
  ]
}

function sentencesOf(
  { difference, guardrails, verdict, reason }: Alternative,
  at: string,
  write: ReturnType<typeof sentencesAbout>,
): Sentence[] {
  const label = name(`${at}/label`)
  if (!difference) {
    return reason === null || verdict === 'NOT_COMPARED'
      ? []
      : [write`${label}: ${name(`${at}/verdict`)}. No outcome: ${name(`${at}/reason`)}.`]
  }
  const of = (member: string) => figure(`${at}/difference/${member}`)
  return [
    write`${label}: ${name(`${at}/verdict`)}. Mean difference from the baseline: ${of('mean')}, interval ${of('low')} to ${of('high')} at a confidence of ${of('confidencePips')} pips.`,
    ...guardrails.flatMap(({ isBroken }, index) => {
      const rail = `${at}/guardrails/${index}`
      return isBroken
        ? [
            write`${label} breaches the guardrail on ${name(`${rail}/metric`)}: ${name(`${rail}/statistic`)} is ${figure(`${rail}/value`)}, threshold ${figure(`${rail}/threshold`)}.`,
          ]
        : []
    }),
  ]
}

function filled(report: unknown, parts: TemplateStringsArray, holes: readonly Hole[]): Sentence {
  const citations = holes.map(({ at }) => citationAt(report, at))
  const text = parts.reduce((sentence, part, index) => {
    const [hole, cited] = [holes[index], citations[index]]
    if (!hole || !cited) return sentence + part
    return `${sentence}${part}${hole.as === 'NAME' ? `“${withoutQuotes(cited.value)}”` : cited.value}`
  }, '')
  return { text, citations }
}

/** Replaces quotation marks in a name, because they would end the quotation around it. */
const withoutQuotes = (value: string): string => value.replaceAll('“', '‘').replaceAll('”', '’')

/** Value at a pointer. A figure also cites its source in the sealed evidence. */
function citationAt(report: unknown, pointer: string): Citation {
  const cited = { pointer, value: printedAt(report, pointer) }
  const figure = valueAt(report, pointer.replace(/\/(?:name|value|unit)$/, ''))
  if (!isFigure(figure)) return cited
  return { ...cited, evidence: { evidenceId: figure.evidenceId, pointer: figure.pointer } }
}

const isFigure = (value: unknown): value is contract.CitedFigure =>
  typeof value === 'object' &&
  value !== null &&
  'evidenceId' in value &&
  typeof value.evidenceId === 'string' &&
  'pointer' in value

const printedAt = (report: unknown, pointer: string): string => {
  const value = valueAt(report, pointer)
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
}

const quoted = /“([^“”]*)”/g
const number = /-?\d+/g

function isCitation({ pointer, value, evidence }: Citation, report: unknown): boolean {
  const there = citationAt(report, pointer)
  if (there.value !== value) return false
  if (!evidence) return true
  return (
    there.evidence?.evidenceId === evidence.evidenceId &&
    there.evidence.pointer === evidence.pointer
  )
}

/**
 * True if a report supports a sentence. Each citation must equal the value at its pointer. Each
 * quoted name and each unquoted number must be a complete cited value. Names with quotation marks
 * are compared in their displayed form.
 */
export function isGrounded({ text, citations }: Sentence, report: unknown): boolean {
  if (!citations.every((one) => isCitation(one, report))) return false
  const cited = new Set(citations.flatMap(({ value }) => [value, withoutQuotes(value)]))
  const names = [...text.matchAll(quoted)].map(([, inside]) => required(inside, 'quoted text'))
  const outside = text.replaceAll(quoted, '')
  if (/[“”]/.test(outside)) return false
  const figures = [...outside.matchAll(number)].map(([figure]) => figure)
  return [...names, ...figures].every((one) => cited.has(one))
}

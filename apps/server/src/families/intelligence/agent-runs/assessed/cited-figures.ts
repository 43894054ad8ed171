import type { contract } from '@liquidity-os/contract'
import { valueAt } from '../../../json-pointer.ts'
import type { Material } from './documents.ts'

export type CitedFigure = contract.CitedFigure

const maxCharacters = 200

/** Value at a pointer of sealed content, formatted as a figure. Empty if absent. */
function shownAt(content: unknown, pointer: string): string {
  const value = valueAt(content, pointer)
  return value === undefined || value === null ? '' : `${value}`.slice(0, maxCharacters)
}

/** A figure quoted from sealed content. */
export const citedIn = (
  evidenceId: string,
  content: unknown,
  name: string,
  pointer: string,
): CitedFigure => ({ name, value: shownAt(content, pointer), evidenceId, pointer })

/** True if every figure equals the value in the sealed evidence that it cites. */
export function areCited(figures: readonly CitedFigure[], { documents }: Material): boolean {
  const contents = new Map(documents.map(({ item, content }) => [item.evidenceId, content]))
  return figures.every(
    ({ evidenceId, pointer, value }) => shownAt(contents.get(evidenceId), pointer) === value,
  )
}

const severities = ['INFO', 'ATTENTION', 'CRITICAL'] as const
type Severity = (typeof severities)[number]

/** Sorts worst first. The sort is stable for findings of equal severity. */
export const worstFirst = <Finding extends { readonly severity: Severity }>(
  findings: readonly Finding[],
): Finding[] =>
  findings.toSorted((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity))

/** The verdict per severity, least severe first. */
export const worstOf = <Verdict>(
  verdicts: readonly [Verdict, Verdict, Verdict],
  found: readonly Severity[],
): Verdict => verdicts[Math.max(0, ...found.map((one) => severities.indexOf(one)))] ?? verdicts[0]

import type { contract } from '@liquidity-os/contract'

export type Run = contract.WorkflowRun
export type Kind = Run['workflow']
export type Analysis = contract.PublicProjectAnalysis
export type Section = Run['sections'][number]
export type Finding = Section['findings'][number]
export type Figure = Finding['figures'][number]
export type Reason = Run['reasons'][number]

/** Conclusion of a workflow. Equal observations give an equal conclusion. */
export interface Conclusion {
  readonly state: Run['state']
  readonly reasons: Reason[]
  readonly sections: Section[]
  readonly limitations: string[]
}

export interface Workflow {
  readonly title: string
  readonly subjects: 1 | 2
  readonly needsBaseAmount: boolean
}

export const workflows: Readonly<Record<Kind, Workflow>> = {
  PROJECT_HEALTH: {
    title: 'Token observation',
    subjects: 1,
    needsBaseAmount: false,
  },
  LIQUIDITY_COMPARISON: {
    title: 'Two observations compared',
    subjects: 2,
    needsBaseAmount: false,
  },
  EXIT_SCALE: {
    title: 'Amount vs pool holdings',
    subjects: 1,
    needsBaseAmount: true,
  },
}

/** A figure of an analysis by pointer; null if absent. */
export function figureOf(
  subject: 0 | 1,
  pointer: string,
  fact: { readonly value: string | number | null },
  unit: Figure['unit'],
): Figure | null {
  return fact.value === null ? null : { pointer, value: String(fact.value), unit, subject }
}

/** A computed figure, without a pointer into an analysis. */
export const computed = (
  value: bigint | number,
  unit: Figure['unit'],
  subject: 0 | 1 | null,
): Figure => ({ pointer: '', value: String(value), unit, subject })

export const finding = (
  code: string,
  text: string,
  figures: readonly (Figure | null)[] = [],
): Finding => ({ code, text, figures: figures.filter((figure) => figure !== null) })

/** Gaps of observations, as reasons of a conclusion. */
export function missingIn(analyses: readonly Analysis[]): Reason[] {
  const gaps = analyses.flatMap((analysis) => analysis.gaps)
  const isOfPools = ({ pointer }: { pointer: string }) => pointer.startsWith('/pools')
  return [
    ...(gaps.some((gap) => !isOfPools(gap)) ? (['FIGURES_MISSING'] as const) : []),
    ...(gaps.some(isOfPools) ? (['POOLS_MISSING'] as const) : []),
  ]
}

export const stateOf = (reasons: readonly Reason[]): Run['state'] =>
  reasons.length === 0 ? 'COMPLETED' : 'PARTIAL'

/** Limitations of all conclusions. */
export const limitations = [
  'The result uses stored observations. The chain has changed since their blocks.',
  'Observations exclude pools with other factories, quote assets or fees.',
  'The result is neither a recommendation nor a rating.',
] as const

import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { StudySpec } from './validate-spec.ts'

export type StudyResult = Static<typeof contract.StudyResult>

/** Hash of a study's specification, with inputs as exact versions. */
export const specHashOf = (spec: StudySpec) => H('simulation-study-spec/v1', spec)

/** Seed of all random draws. Default: derived from the specification. */
export const seedOf = (spec: StudySpec) => spec.seed ?? H('study-seed/v1', specHashOf(spec))

/** The result with its hash over all other fields. */
export function sealResult(body: Omit<StudyResult, 'resultHash'>): StudyResult {
  return { ...body, resultHash: H('study-result/v1', body) }
}

/** A rational price times 10^18, rounded down. */
export function priceX18(price: { num: bigint; den: bigint } | null): string | null {
  return price ? ((price.num * 10n ** 18n) / price.den).toString() : null
}

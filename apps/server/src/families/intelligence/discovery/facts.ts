import type { Block, contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'

type Source = contract.FactSource

/** A figure with where it comes from; a value of null is a gap. */
export interface Fact<Value> {
  readonly value: Value | null
  readonly source: Source
  readonly block: Block | null
  readonly at: string
}

/** Where a figure comes from, as far as it does not depend on its value. */
export interface Origin {
  readonly kind: Source['kind']
  readonly provider: string
  readonly block: Block | null
  readonly at: string
}

/** A figure of an origin, with the hash by which whoever reads the same finds it again. */
export function factOf<Value>(
  { kind, provider, block, at }: Origin,
  method: string,
  value: Value | null,
): Fact<Value> {
  const answerHash = H('public-answer/v1', { method, value }) as Source['answerHash']
  return { value, source: { kind, provider, method, answerHash }, block, at }
}

/** Gaps in the order of what they concern. */
export const inOrder = (gaps: readonly contract.PublicGap[]): contract.PublicGap[] =>
  gaps.toSorted((a, b) => (`${a.pointer} ${a.code}` < `${b.pointer} ${b.code}` ? -1 : 1))

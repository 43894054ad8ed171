import type { Block, contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'

type Source = contract.FactSource

/** A figure with its source. A null value is a gap. */
export interface Fact<Value> {
  readonly value: Value | null
  readonly source: Source
  readonly block: Block | null
  readonly at: string
}

/** Source of a figure, without the value. */
export interface Origin {
  readonly kind: Source['kind']
  readonly provider: string
  readonly block: Block | null
  readonly at: string
}

/** Adds the source and a hash. Another reader of the same source obtains the same hash. */
export function factOf<Value>(
  { kind, provider, block, at }: Origin,
  method: string,
  value: Value | null,
): Fact<Value> {
  const answerHash = H('public-answer/v1', { method, value }) as Source['answerHash']
  return { value, source: { kind, provider, method, answerHash }, block, at }
}

/** Sorts gaps by pointer, then code. */
export const inOrder = (gaps: readonly contract.PublicGap[]): contract.PublicGap[] =>
  gaps.toSorted((a, b) => (`${a.pointer} ${a.code}` < `${b.pointer} ${b.code}` ? -1 : 1))

import type { Rat } from '@liquidity-os/engine/arithmetic'
import type { Header } from '../../../integrations/chain/header.ts'
import type { PricePoint } from '../../../market/prices/price-course.ts'

/** A mark on the price some time after a fill. */
export interface Mark {
  readonly seconds: number
  /** Null while the chain has not come so far. */
  readonly block: Header | null
  readonly price: Rat | null
  readonly permanentPips: bigint | null
  readonly temporaryPips: bigint | null
  /** Present if the order names reference prices; null if they do not cover that time. */
  readonly markout?: Markout | null
}

export interface Markout {
  readonly point: PricePoint
  /** Millionths of the reference, above zero where it hurts the trader. */
  readonly pips: bigint
}

import type { Rat } from '@liquidity-os/engine/arithmetic'
import type { Header } from '../../../integrations/chain/header.ts'
import type { PricePoint } from '../../../market/prices/price-course.ts'

/** A markout some time after a fill. */
export interface Mark {
  readonly seconds: number
  /** Null until the chain reaches that time. */
  readonly block: Header | null
  readonly price: Rat | null
  readonly permanentPips: bigint | null
  readonly temporaryPips: bigint | null
  /** Present if the order has reference prices; null if they do not cover that time. */
  readonly markout?: Markout | null
}

export interface Markout {
  readonly point: PricePoint
  /** Millionths of the reference price; positive values are a cost to the trader. */
  readonly pips: bigint
}

/** A position with what was paid for it. */
export interface Deposit {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

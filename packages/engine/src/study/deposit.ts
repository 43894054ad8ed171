/** A position with its deposited amounts. */
export interface Deposit {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

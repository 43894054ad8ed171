export interface Deposit {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

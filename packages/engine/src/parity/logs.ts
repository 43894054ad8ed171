/**
 * A log as the pool contract emits it, with the argument names of its interface. Transfers of tokens and
 * of liquidity tokens are left out: they are compared as balances.
 */
export interface PoolLog {
  readonly name: string
  readonly args: Readonly<Record<string, bigint | number | string>>
}

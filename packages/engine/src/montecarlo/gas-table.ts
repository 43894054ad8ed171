/** Transactions of a liquidity provider or trader. */
export type ActionKind =
  | 'MINT'
  | 'INCREASE'
  | 'DECREASE'
  | 'DECREASE_ALL'
  | 'COLLECT'
  | 'BURN'
  | 'SWAP'
  | 'V2_ADD'
  | 'V2_REMOVE'
  | 'V2_SWAP'

/**
 * Gas of one transaction per action, intrinsic gas included. It is measured on the original
 * bytecode: v2 router and pair, v3 position manager, router and pool. Tokens are plain ERC-20;
 * ticks and balances were already in use.
 *
 * `node packages/localchain/bin/gas-table.ts` prints these units again. A swap that crosses ticks
 * costs more.
 */
export const gasTable: {
  readonly version: string
  readonly units: Readonly<Record<ActionKind, number>>
} = {
  version: 'gas-1',
  units: {
    MINT: 326_609,
    INCREASE: 175_289,
    DECREASE: 124_763,
    DECREASE_ALL: 142_201,
    COLLECT: 137_810,
    BURN: 70_538,
    SWAP: 130_047,
    V2_ADD: 165_484,
    V2_REMOVE: 120_835,
    V2_SWAP: 104_024,
  },
}

/** Actions in a market without ranges. Its fees stay in the pool, so collection does not exist. */
const WITHOUT_RANGES: Readonly<Record<ActionKind, ActionKind | null>> = {
  MINT: 'V2_ADD',
  INCREASE: 'V2_ADD',
  DECREASE: 'V2_REMOVE',
  DECREASE_ALL: 'V2_REMOVE',
  COLLECT: null,
  BURN: null,
  SWAP: 'V2_SWAP',
  V2_ADD: 'V2_ADD',
  V2_REMOVE: 'V2_REMOVE',
  V2_SWAP: 'V2_SWAP',
}

/** Transaction type of an action in a market; null if no transaction is needed. */
export function transactionOf(action: ActionKind, hasRanges: boolean): ActionKind | null {
  return hasRanges ? action : WITHOUT_RANGES[action]
}

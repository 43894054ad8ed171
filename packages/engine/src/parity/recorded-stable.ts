import { viewGetDy } from '../amm/stableswap/exchange.ts'
import {
  viewCalcTokenAmount,
  viewCalcWithdrawOneCoin,
  viewVirtualPrice,
} from '../amm/stableswap/liquidity.ts'
import type { StableState, StableVariant } from '../amm/stableswap/state.ts'

/** A question that a deployed StableSwap pool answered. */
export type StableCall =
  | { readonly function: 'get_dy'; readonly from: number; readonly to: number; amount: bigint }
  | {
      readonly function: 'calc_token_amount'
      readonly amounts: readonly bigint[]
      readonly kind: 'DEPOSIT' | 'WITHDRAWAL'
    }
  | {
      readonly function: 'calc_withdraw_one_coin'
      readonly liquidity: bigint
      readonly coin: number
    }
  | { readonly function: 'get_virtual_price' }

/** A pool's state and its recorded call results. */
export interface StableRecording {
  readonly chainId: number | null
  readonly pool: string | null
  /** Null if the source does not name the block of the calls. */
  readonly block: number | null
  readonly state: StableState
  readonly calls: readonly { readonly call: StableCall; readonly answer: bigint }[]
}

/** How the engine compares with the recorded answers of one variant. */
export interface StableParity {
  /**
   * VERIFIED if all results of the variant's recordings are exact, and at least one recording names
   * chain, pool and block.
   */
  readonly verdict: 'VERIFIED' | 'UNVERIFIED'
  readonly calls: number
  readonly exact: number
  /** Number of `calls` from recordings that name chain, pool and block. */
  readonly pinned: number
  /** Exact answers by function. */
  readonly functions: Readonly<Record<string, number>>
  /** `chain/pool@block` of the pinned recordings, in order. */
  readonly recordings: readonly string[]
}

/**
 * The engine's result of the same call.
 *
 * @throws PoolRevertError if the contract would revert
 */
export function answerStableCall(state: StableState, call: StableCall): bigint {
  switch (call.function) {
    case 'get_dy':
      return viewGetDy(state, call, call.amount)
    case 'calc_token_amount':
      return viewCalcTokenAmount(state, call.amounts, call.kind)
    case 'calc_withdraw_one_coin':
      return viewCalcWithdrawOneCoin(state, call.liquidity, call.coin)
    case 'get_virtual_price':
      return viewVirtualPrice(state)
  }
}

/**
 * Compares the engine with every recorded call. The verdict per variant depends only on this
 * comparison.
 *
 * @returns only the variants with recordings
 */
export function compareStableRecordings(
  recordings: readonly StableRecording[],
): Partial<Record<StableVariant, StableParity>> {
  const result: Partial<Record<StableVariant, StableParity>> = {}
  const variants = new Set(recordings.map(({ state }) => state.variant))
  for (const variant of [...variants].sort()) {
    result[variant] = compareVariant(recordings.filter(({ state }) => state.variant === variant))
  }
  return result
}

function compareVariant(recordings: readonly StableRecording[]): StableParity {
  const functions: Record<string, number> = {}
  const names: string[] = []
  let [calls, exact, pinned] = [0, 0, 0]
  for (const { chainId, pool, block, state, calls: asked } of recordings) {
    const isPinned = chainId !== null && pool !== null && block !== null
    if (isPinned) names.push(`${chainId}/${pool.toLowerCase()}@${block}`)
    for (const { call, answer } of asked) {
      calls += 1
      if (isPinned) pinned += 1
      if (answerStableCall(state, call) !== answer) continue
      exact += 1
      functions[call.function] = (functions[call.function] ?? 0) + 1
    }
  }
  const verdict = pinned > 0 && exact === calls ? 'VERIFIED' : 'UNVERIFIED'
  return { verdict, calls, exact, pinned, functions, recordings: names.sort() }
}

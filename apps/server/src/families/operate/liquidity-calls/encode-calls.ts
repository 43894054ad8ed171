import { type Address, encodeFunctionData, type Hex } from 'viem'
import { allowanceAbi, positionManagerAbi } from '../../../integrations/chain/periphery-abis.ts'
import type { LiquidityAmounts, TickRange, TokenPair } from './liquidity-amounts.ts'

export interface PlainCall {
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
}

export interface CallTerms {
  readonly safe: Address
  readonly manager: Address
  /** token0 and token1. */
  readonly tokens: readonly [Address, Address]
  readonly feePips: number
  /** Null for a new position. */
  readonly tokenId: bigint | null
  readonly range: TickRange
  /** Unix seconds. */
  readonly deadline: bigint
}

const everything = 2n ** 128n - 1n

/**
 * Calls of a deposit: allowances of the manager, the deposit, and the allowances back to zero.
 *
 * @param allowances of the manager before the calls; some tokens accept a new allowance only after
 * zero
 */
export function depositCalls(
  terms: CallTerms,
  { minimum }: LiquidityAmounts,
  most: TokenPair,
  allowances: TokenPair,
): PlainCall[] {
  const { safe, manager, tokens, feePips: fee, tokenId, range, deadline } = terms
  const approve = (index: number, amount: bigint): PlainCall => ({
    to: tokens[index] as Address,
    value: 0n,
    data: encodeFunctionData({
      abi: allowanceAbi,
      functionName: 'approve',
      args: [manager, amount],
    }),
  })
  const used = [0, 1].filter((index) => (most[index] ?? 0n) > 0n)
  const [amount0Desired, amount1Desired] = most
  const [amount0Min, amount1Min] = minimum
  const amounts = { amount0Desired, amount1Desired, amount0Min, amount1Min, deadline }
  const [token0, token1] = tokens
  const deposit =
    tokenId === null
      ? encodeFunctionData({
          abi: positionManagerAbi,
          functionName: 'mint',
          args: [{ token0, token1, fee, ...range, ...amounts, recipient: safe }],
        })
      : encodeFunctionData({
          abi: positionManagerAbi,
          functionName: 'increaseLiquidity',
          args: [{ tokenId, ...amounts }],
        })
  return [
    ...used.filter((index) => (allowances[index] ?? 0n) > 0n).map((index) => approve(index, 0n)),
    ...used.map((index) => approve(index, most[index] ?? 0n)),
    { to: manager, value: 0n, data: deposit },
    ...used.map((index) => approve(index, 0n)),
  ]
}

/** Calls of a withdrawal: the liquidity, then the tokens and all fees of the position. */
export function withdrawalCalls(
  { safe, manager, deadline }: CallTerms,
  tokenId: bigint,
  { liquidity, minimum: [amount0Min, amount1Min] }: LiquidityAmounts,
): PlainCall[] {
  const terms = { tokenId, liquidity, amount0Min, amount1Min, deadline }
  const decrease = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'decreaseLiquidity',
    args: [terms],
  })
  return [
    { to: manager, value: 0n, data: decrease },
    { to: manager, value: 0n, data: collectData(tokenId, safe) },
  ]
}

/** Call data that collects all tokens that a position owes. */
export const collectData = (tokenId: bigint, recipient: Address): Hex =>
  encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'collect',
    args: [{ tokenId, recipient, amount0Max: everything, amount1Max: everything }],
  })

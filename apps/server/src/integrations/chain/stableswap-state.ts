import {
  findStableFault,
  rateOfDecimals,
  type StableState,
  type StableVariant,
} from '@liquidity-os/engine/amm'
import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { tokenAbi } from './abis.ts'
import { CallRevertedError } from './chain-error.ts'
import { ask, type ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import { blockArgument, type Pin, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'
import { signedIndexAbi, stableSwapAbi, storedRatesSelector } from './stableswap-abi.ts'

/** Pool properties that a StableSwap pool does not report, or reports differently per build. */
export type StableTerms = {
  readonly address: Address
  readonly variant: StableVariant
  /** In the order of the pool. */
  readonly coins: readonly Address[]
  /** LP token, if it is another contract than the pool and the pool does not state it. */
  readonly lpToken?: Address
}

/** Placeholder address of the native coin in pools; it has no contract and 18 decimals. */
const nativeCoin = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/**
 * StableSwap pool state that affects amounts, at a block, as an engine value.
 *
 * Rates are as reported by the pool (`stored_rates`). A pool without them holds plain tokens, whose
 * rates follow from their decimals.
 *
 * @throws ChainError if a read fails
 * @throws CallRevertedError if the build differs, or the state is impossible
 */
export async function readStableSwapState(
  client: ChainClient,
  block: Header,
  terms: StableTerms,
): Promise<StableState> {
  return readAtBlock(client, block, async (pin) => {
    const { address, variant, coins } = terms
    const view = (functionName: Scalar) =>
      readContract(client, pin, { address, abi: stableSwapAbi, functionName })
    const each = <Value>(read: (coin: number) => Promise<Value>) =>
      Promise.all(coins.map((_, coin) => read(coin)))
    const [initialA, futureA, initialAt, futureAt, feeX10, adminFeeX10, offpeg] = await Promise.all(
      [
        ...(['initial_A', 'future_A', 'initial_A_time', 'future_A_time'] as const).map(view),
        ...(['fee', 'admin_fee'] as const).map(view),
        variant === 'NG' ? view('offpeg_fee_multiplier') : 0n,
      ],
    )
    const [balances, adminBalances, rates, totalSupply] = await Promise.all([
      each((coin) => readBalance(client, pin, address, coin)),
      each((coin) => indexed(client, pin, address, 'admin_balances', coin)),
      readRates(client, pin, terms),
      readSupply(client, pin, terms),
    ])
    const state: StableState = {
      kind: 'STABLESWAP',
      variant,
      balances,
      adminBalances,
      rates,
      totalSupply,
      ramp: {
        // Safe assertions: all seven values were requested.
        initialA: initialA!,
        futureA: futureA!,
        initialAt: Number(initialAt),
        futureAt: Number(futureAt),
      },
      feeX10: feeX10!,
      adminFeeX10: adminFeeX10!,
      offpegFeeMultiplierX10: offpeg!,
      blockTimestamp: block.timestamp,
    }
    if (findStableFault(state) !== null) throw new CallRevertedError()
    return state
  })
}

type Scalar =
  | 'initial_A'
  | 'future_A'
  | 'initial_A_time'
  | 'future_A_time'
  | 'fee'
  | 'admin_fee'
  | 'offpeg_fee_multiplier'

function indexed(
  client: ChainClient,
  pin: Pin,
  address: Address,
  functionName: 'balances' | 'admin_balances',
  coin: number,
): Promise<bigint> {
  const call = { address, abi: stableSwapAbi, functionName, args: [BigInt(coin)] } as const
  return readContract(client, pin, call)
}

function readBalance(client: ChainClient, pin: Pin, address: Address, coin: number) {
  return orElse(
    () => indexed(client, pin, address, 'balances', coin),
    () => {
      const call = { address, abi: signedIndexAbi, functionName: 'balances' } as const
      return readContract(client, pin, { ...call, args: [BigInt(coin)] })
    },
  )
}

/**
 * Address of a coin of a pool; the zero address if the index is unused.
 *
 * @throws ChainError if a read fails
 */
export function readCoin(
  client: ChainClient,
  pin: Pin,
  address: Address,
  coin: number,
): Promise<Address> {
  const args = [BigInt(coin)] as const
  const call = { address, functionName: 'coins', args } as const
  return orElse(
    () => readContract(client, pin, { ...call, abi: stableSwapAbi }),
    () =>
      orElse(
        () => readContract(client, pin, { ...call, abi: signedIndexAbi }),
        () => Promise.resolve(zeroAddress),
      ),
  )
}

/**
 * Decimals of a coin.
 *
 * @throws CallRevertedError if the address is no token
 */
export async function readDecimals(client: ChainClient, pin: Pin, coin: Address): Promise<number> {
  if (isAddressEqual(coin, nativeCoin)) return 18
  return readContract(client, pin, { address: coin, abi: tokenAbi, functionName: 'decimals' })
}

async function readRates(client: ChainClient, pin: Pin, terms: StableTerms): Promise<bigint[]> {
  const stored = await readStoredRates(client, pin, terms)
  if (stored !== null) return stored
  if (terms.variant === 'NG') throw new CallRevertedError()
  return plainRates(client, pin, terms.coins)
}

/** Above this limit, the rate of a coin is no integer. */
export const maxDecimals = 36

/**
 * Rates of plain coins: 10^(36 − decimals).
 *
 * @throws CallRevertedError if a coin is no token, or has more decimals than a rate can scale to 18
 */
export async function plainRates(
  client: ChainClient,
  pin: Pin,
  coins: readonly Address[],
): Promise<bigint[]> {
  const decimals = await Promise.all(coins.map((coin) => readDecimals(client, pin, coin)))
  if (decimals.some((count) => count > maxDecimals)) throw new CallRevertedError()
  return decimals.map(rateOfDecimals)
}

/** Rates that a pool reports; null if it reports no rates. */
async function readStoredRates(
  client: ChainClient,
  pin: Pin,
  { address, coins }: StableTerms,
): Promise<bigint[] | null> {
  const request = [{ to: address, data: storedRatesSelector }, blockArgument(pin)]
  const words = await orElse(
    async () => wordsOf(await ask<Hex>(client, 'eth_call', request)),
    async () => [],
  )
  if (words.length === coins.length) return words
  // A dynamic list follows after its offset and its length.
  const isDynamic = words[0] === 32n && words[1] === BigInt(coins.length)
  return isDynamic && words.length >= coins.length + 2 ? words.slice(2, coins.length + 2) : null
}

function wordsOf(answer: Hex): bigint[] {
  const words = answer.slice(2).match(/[0-9a-f]{64}/gi) ?? []
  return words.map((word) => BigInt(`0x${word}`))
}

async function readSupply(client: ChainClient, pin: Pin, terms: StableTerms): Promise<bigint> {
  const supply = (address: Address) =>
    readContract(client, pin, { address, abi: stableSwapAbi, functionName: 'totalSupply' })
  const { address, lpToken } = terms
  if (lpToken !== undefined) return supply(lpToken)
  const named = { address, abi: stableSwapAbi, functionName: 'lp_token' } as const
  return orElse(
    async () => supply(await readContract(client, pin, named)),
    () => supply(address),
  )
}

/** Uses a fallback call if the contract lacks the function; all other failures propagate. */
async function orElse<Value>(
  first: () => Promise<Value>,
  second: () => Promise<Value>,
): Promise<Value> {
  try {
    return await first()
  } catch (error) {
    if (error instanceof CallRevertedError) return second()
    throw error
  }
}

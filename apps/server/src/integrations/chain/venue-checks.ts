import { type Abi, type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { keccak256 } from '../../keccak256.ts'
import { tokenAbi, v2FactoryAbi, v2PairAbi, v3FactoryAbi, v3PoolAbi } from './abis.ts'
import { CallRevertedError } from './chain-error.ts'
import { type Check, checkEqual } from './check.ts'
import { ask, type ChainClient } from './client.ts'
import { readContract } from './contract-call.ts'
import {
  agreeOnHead,
  blockArgument,
  type FinalityRule,
  type FinalizedHead,
  type Pin,
  readAtBlock,
} from './finalized.ts'
import type { Header } from './header.ts'
import {
  type KnownCode,
  maskedCodeHash,
  uniswapV2PairCode,
  uniswapV3PoolCode,
} from './known-code.ts'
import { checkPairFee } from './pair-fee.ts'
import { sortTokens, v2PairAddress, v3PoolAddress } from './pool-address.ts'
import { checkStableSwap, type StableIdentity } from './stableswap-checks.ts'
import { checkTokenBehaviour } from './token-behaviour.ts'
import { readSymbol } from './token-symbol.ts'

export type VenueIdentity = UniswapIdentity | StableIdentity

/** A pool of Uniswap as its profile describes it. */
export type UniswapIdentity = {
  readonly kind: 'UNISWAP_V2' | 'UNISWAP_V3'
  readonly chainId: number
  readonly address: Address
  readonly factory: Address
  readonly base: Address
  readonly quote: Address
  readonly baseDecimals: number
  readonly quoteDecimals: number
  /**
   * Hundredths of a basis point. A v2 pair with Uniswap code charges 3000; the fee of a fork
   * follows from its swaps.
   */
  readonly feePips: number
  /** v3 only. */
  readonly tickSpacing?: number
  /** Maximum blocks per log query. */
  readonly logChunkBlocks: number
}

export type VenueChecks = { readonly head: FinalizedHead; readonly checks: readonly Check[] }

/**
 * Warns that a pair's code is not Uniswap's; forks are common. The factory confirms the address and
 * swaps prove the fee, but all else is unverified.
 */
export const unknownCode = 'UNKNOWN_CODE'
/** Codes of the checks that read the symbols of the tokens. */
const symbolChecks = { base: 'BASE_SYMBOL', quote: 'QUOTE_SYMBOL' } as const
/** Observed value if a contract does not respond. */
const noAnswer = 'NO_ANSWER'

/**
 * Verifies at the finalized head that a market matches its profile.
 *
 * A Uniswap pool must be at its CREATE2 address, its factory must name it, and its code must be
 * Uniswap's apart from immutables. A v2 pair with other code counts as a fork. An unresponsive
 * contract fails its check. An unresponsive provider fails the whole run. The venue is then
 * unknown.
 *
 * @param clients every provider of the chain; state is read from the first, hashes are compared
 * @throws ChainError if a read fails
 */
export async function checkVenue(
  clients: readonly [ChainClient, ...ChainClient[]],
  finality: FinalityRule,
  venue: VenueIdentity,
): Promise<VenueChecks> {
  const [client] = clients
  const chainIds = await Promise.all(clients.map((each) => ask<Hex>(each, 'eth_chainId', [])))
  const chainId = chainIds.map(Number).find((id) => id !== venue.chainId) ?? venue.chainId
  const head = await agreeOnHead(clients, finality)
  const onChain =
    venue.kind === 'STABLESWAP'
      ? await checkStableSwap(client, head.head, venue)
      : await checkUniswap(client, head.head, venue)
  const finalized: Check = {
    code: 'FINALIZED_BLOCK',
    ok: true,
    expected: 'obtainable',
    observed: `${head.head.number} ${head.head.hash}`,
  }
  const checks = [checkEqual('CHAIN_ID', venue.chainId, chainId), finalized, ...onChain]
  // Symbols are for display only, and contracts that failed a check may answer anything.
  if (checks.some(({ ok }) => !ok)) return { head, checks }
  return { head, checks: [...checks, ...(await readSymbols(client, head.head, venue))] }
}

/** Symbols as the token contracts state them. The name of a venue is free text and names no token. */
function readSymbols(client: ChainClient, head: Header, venue: VenueIdentity): Promise<Check[]> {
  return readAtBlock(client, head, (pin) =>
    Promise.all(
      (['base', 'quote'] as const).map(async (side): Promise<Check> => {
        const symbol = await readSymbol(client, pin, venue[side])
        return { code: symbolChecks[side], ok: true, expected: 'any', observed: symbol ?? noAnswer }
      }),
    ),
  )
}

async function checkUniswap(
  client: ChainClient,
  head: Header,
  venue: UniswapIdentity,
): Promise<Check[]> {
  const identity = await readAtBlock(client, head, (pin) => checkMarket(client, pin, venue))
  // Logs of another contract prove no property of these tokens.
  if (identity.some(({ ok }) => !ok)) return identity
  const tokens = sortTokens(venue.base, venue.quote)
  const isFork = identity.some(({ code }) => code === unknownCode)
  return [
    ...identity,
    ...(isFork ? [await checkPairFee(client, head, venue)] : []),
    await checkTokenBehaviour(client, head, { ...venue, tokens }),
  ]
}

async function checkMarket(
  client: ChainClient,
  pin: Pin,
  venue: UniswapIdentity,
): Promise<Check[]> {
  const reader = viewReader(client, pin)
  const [token0, token1] = sortTokens(venue.base, venue.quote)
  const isV3 = venue.kind === 'UNISWAP_V3'
  const market = (name: string) => reader(venue.address, isV3 ? v3PoolAbi : v2PairAbi, name)
  const { factory, base, quote, feePips } = venue
  const derived = isV3
    ? v3PoolAddress(factory, base, quote, feePips)
    : v2PairAddress(factory, base, quote)
  const named = isV3
    ? reader(factory, v3FactoryAbi, 'getPool', [base, quote, feePips])
    : reader(factory, v2FactoryAbi, 'getPair', [base, quote])
  // Issued together, so a provider with batch support responds to all at once.
  const checks = await Promise.all([
    checkCode(client, pin, venue),
    checkEqual('ADDRESS_DERIVED', derived, getAddress(venue.address)),
    checkAnswer('FACTORY_NAMES_MARKET', venue.address, named),
    checkAnswer('MARKET_NAMES_FACTORY', factory, market('factory')),
    checkAnswer('TOKEN0', token0, market('token0')),
    checkAnswer('TOKEN1', token1, market('token1')),
    checkAnswer('BASE_DECIMALS', venue.baseDecimals, reader(base, tokenAbi, 'decimals')),
    checkAnswer('QUOTE_DECIMALS', venue.quoteDecimals, reader(quote, tokenAbi, 'decimals')),
    isV3 ? checkV3Terms(venue, market) : checkV2Terms(venue, market),
  ])
  const all = checks.flat()
  const isFork = all.some(({ code }) => code === unknownCode)
  // A fork has other code behind its address, and only its swaps reveal its fee.
  return all.filter(({ code }) => !isFork || (code !== 'ADDRESS_DERIVED' && code !== 'FEE'))
}

async function checkAnswer(
  code: string,
  expected: string | number,
  answer: Promise<string>,
): Promise<Check> {
  return checkEqual(code, expected, await answer)
}

async function checkCode(client: ChainClient, pin: Pin, venue: UniswapIdentity): Promise<Check[]> {
  const code = await ask<Hex>(client, 'eth_getCode', [venue.address, blockArgument(pin)])
  const known: KnownCode = venue.kind === 'UNISWAP_V3' ? uniswapV3PoolCode : uniswapV2PairCode
  const present: Check = {
    code: 'CODE_PRESENT',
    ok: code !== '0x',
    expected: `${known.bytes} bytes`,
    observed: `${(code.length - 2) / 2} bytes`,
  }
  const observed = code === '0x' ? keccak256('0x') : maskedCodeHash(code, known)
  if (venue.kind === 'UNISWAP_V2' && present.ok && observed !== known.hash) {
    return [present, { code: unknownCode, ok: true, expected: known.hash, observed }]
  }
  return [present, checkEqual('CODE_HASH', known.hash, observed)]
}

type MarketView = (name: string) => Promise<string>

async function checkV3Terms(venue: UniswapIdentity, market: MarketView): Promise<Check[]> {
  const [fee, tickSpacing, liquidity] = await Promise.all(
    ['fee', 'tickSpacing', 'liquidity'].map(market),
  )
  return [
    checkEqual('FEE', venue.feePips, fee ?? noAnswer),
    checkEqual('TICK_SPACING', venue.tickSpacing ?? 'stated', tickSpacing ?? noAnswer),
    checkPositive('LIQUIDITY', liquidity ?? noAnswer),
  ]
}

async function checkV2Terms(venue: UniswapIdentity, market: MarketView): Promise<Check[]> {
  // The pair's code has no other fee: 3/1000 of the input.
  return [
    checkEqual('FEE', venue.feePips, 3000),
    checkPositive('LIQUIDITY', await market('totalSupply')),
  ]
}

function checkPositive(code: string, observed: string): Check {
  const ok = /^[1-9][0-9]*$/.test(observed)
  return { code, ok, expected: 'positive', observed }
}

/** Reads single values as text; a contract that reverts or is not there gives `NO_ANSWER`. */
function viewReader(client: ChainClient, pin: Pin) {
  return async (
    address: Address,
    abi: Abi,
    functionName: string,
    args: readonly unknown[] = [],
  ): Promise<string> => {
    try {
      const value = await readContract(client, pin, { address, abi, functionName, args })
      return value === zeroAddress ? noAnswer : String(value)
    } catch (error) {
      if (error instanceof CallRevertedError) return noAnswer
      throw error
    }
  }
}

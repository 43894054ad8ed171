import type { contract } from '@liquidity-os/contract'
import { type Address, getAddress, isAddressEqual, zeroAddress } from 'viem'
import {
  tokenAbi,
  v2FactoryAbi,
  v2PairAbi,
  v3FactoryAbi,
  v3PoolAbi,
} from '../../../../integrations/chain/abis.ts'
import type { ChainClient } from '../../../../integrations/chain/client.ts'
import { answered, readContract } from '../../../../integrations/chain/contract-call.ts'
import type { Pin } from '../../../../integrations/chain/finalized.ts'
import {
  maskedCodeHash,
  uniswapV2PairCode,
  uniswapV3PoolCode,
} from '../../../../integrations/chain/known-code.ts'
import { codeAt } from '../../../../integrations/chain/safe-account.ts'
import { limits } from '../../../../limits.ts'
import { assetKeyOf } from '../../../../market/prices/prices-of-pair.ts'
import { midX36, type PairState, type RangeState, reservesOf } from './pool-figures.ts'
import { type QuoteWords, readQuoteWords } from './read-token.ts'
import type { Factory } from './registry.ts'
import { from, missing, type ReadResult, type Session } from './session.ts'

/** A pool that a factory lists. */
interface Named {
  readonly kind: Factory['kind']
  readonly factory: Address
  readonly quote: Address
  readonly feePips: number | null
  readonly address: Address
}

type PoolRequest = Omit<Named, 'address'>

interface Figures {
  readonly named: Named
  readonly codeKnown: ReadResult<boolean>
  readonly heldBase: ReadResult<string>
  readonly heldQuote: ReadResult<string>
  readonly state: ReadResult<PoolState>
}

/** Integers as text, so that the responses of two nodes are comparable. */
interface PoolState {
  readonly baseIsToken0: boolean
  readonly values: readonly [string, string]
}

export interface PoolsReading {
  readonly pools: contract.PublicPool[]
  /** True if all factories responded. */
  readonly isWhole: boolean
  readonly reference: contract.PublicLiquidityInvestigation['referenceQuote']
}

/**
 * Pools of a token against the deployment's quote assets: reference quote first, deepest pool
 * first.
 */
export async function readPools(session: Session, token: Address): Promise<PoolsReading> {
  const { chain } = session
  const [named, words] = await Promise.all([
    session.ask((client, pin) => namedPools(session, client, pin, token)),
    Promise.all(chain.quotes.map((quote) => readQuoteWords(session, quote))),
  ])
  if (named.missing) session.note(named.missing, '/pools')
  const quoteOf = (address: Address): contract.PublicPool['quote'] => {
    const { symbol, decimals } = words[chain.quotes.indexOf(address)] as QuoteWords
    return { assetKey: assetKeyOf(chain, address), symbol, decimals }
  }
  const figures = await Promise.all(
    (named.value ?? []).map((one) => readFigures(session, token, one)),
  )
  const deepest = figures
    .map((one) => ({ one, reserve: reservesFrom(one) }))
    .sort(
      (a, b) =>
        chain.quotes.indexOf(a.one.named.quote) - chain.quotes.indexOf(b.one.named.quote) ||
        compare(depthOf(b.reserve), depthOf(a.reserve)) ||
        (a.one.named.address < b.one.named.address ? -1 : 1),
    )
  if (deepest.length > limits.publicPools) {
    const detail = `${deepest.length} pools found, ${limits.publicPools} returned.`
    session.note({ code: 'TRUNCATED', detail }, '/pools')
  }
  return {
    pools: deepest
      .slice(0, limits.publicPools)
      .map(({ one, reserve }, index) =>
        poolOf(session, one, { index, reserve, quote: quoteOf(one.named.quote) }),
      ),
    isWhole: named.missing === null,
    reference: quoteOf(chain.quotes[0]),
  }
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)
const depthOf = (reserve: ReadResult<Reserves>) => BigInt(reserve.value?.quote ?? '0')

/** Queries every factory for every quote asset and fee. No log search. */
async function namedPools(
  session: Session,
  client: ChainClient,
  pin: Pin,
  token: Address,
): Promise<Named[]> {
  const requested = session.chain.quotes
    .filter((quote) => !isAddressEqual(quote, token))
    .flatMap((quote) =>
      session.chain.factories.flatMap(({ kind, address: factory, feesPips }): PoolRequest[] =>
        kind === 'UNISWAP_V2'
          ? [{ kind, factory, quote, feePips: null }]
          : feesPips.map((feePips) => ({ kind, factory, quote, feePips })),
      ),
    )
  const found = await Promise.all(
    requested.map(async (one) => {
      const { factory, quote, feePips } = one
      const address = await answered(() =>
        feePips === null
          ? readContract(client, pin, {
              address: factory,
              abi: v2FactoryAbi,
              functionName: 'getPair',
              args: [token, quote],
            })
          : readContract(client, pin, {
              address: factory,
              abi: v3FactoryAbi,
              functionName: 'getPool',
              args: [token, quote, feePips],
            }),
      )
      return { ...one, address }
    }),
  )
  return found.flatMap((one) =>
    one.address === null || one.address === zeroAddress
      ? []
      : [{ ...one, address: getAddress(one.address) }],
  )
}

async function readFigures(session: Session, token: Address, named: Named): Promise<Figures> {
  const { address, kind, quote } = named
  const known = kind === 'UNISWAP_V2' ? uniswapV2PairCode : uniswapV3PoolCode
  const held = (asset: Address) =>
    session.ask(async (client, pin) =>
      String(
        await readContract(client, pin, {
          address: asset,
          abi: tokenAbi,
          functionName: 'balanceOf',
          args: [address],
        }),
      ),
    )
  const [codeKnown, heldBase, heldQuote, state] = await Promise.all([
    session.ask(
      async (client, pin) =>
        maskedCodeHash(await codeAt(client, pin, address), known) === known.hash,
    ),
    held(token),
    held(quote),
    session.ask((client, pin) => readState(client, pin, { ...named, token })),
  ])
  return { named, codeKnown, heldBase, heldQuote, state }
}

async function readState(
  client: ChainClient,
  pin: Pin,
  { address, kind, token }: Named & { token: Address },
): Promise<PoolState> {
  const token0 = readContract(client, pin, {
    address,
    abi: v2PairAbi,
    functionName: 'token0',
  })
  if (kind === 'UNISWAP_V2') {
    const [first, [reserve0, reserve1]] = await Promise.all([
      token0,
      readContract(client, pin, { address, abi: v2PairAbi, functionName: 'getReserves' }),
    ])
    return stateOf(isAddressEqual(first, token), reserve0, reserve1)
  }
  const [first, [sqrtPriceX96], liquidity] = await Promise.all([
    token0,
    readContract(client, pin, { address, abi: v3PoolAbi, functionName: 'slot0' }),
    readContract(client, pin, { address, abi: v3PoolAbi, functionName: 'liquidity' }),
  ])
  return stateOf(isAddressEqual(first, token), sqrtPriceX96, liquidity)
}

const stateOf = (baseIsToken0: boolean, first: bigint, second: bigint): PoolState => ({
  baseIsToken0,
  values: [String(first), String(second)],
})

function stateIn(kind: Named['kind'], { values }: PoolState): PairState | RangeState {
  const [first, second] = [BigInt(values[0]), BigInt(values[1])]
  return kind === 'UNISWAP_V2'
    ? { kind, reserve0: first, reserve1: second }
    : { kind, sqrtPriceX96: first, liquidity: second }
}

interface Reserves {
  readonly base: string
  readonly quote: string
}

function reservesFrom({ named, state, heldBase, heldQuote }: Figures): ReadResult<Reserves> {
  if (state.missing) return state
  // A pair reports its reserves. For a range, the token balance limits the payout.
  const needsHeld = named.kind === 'UNISWAP_V3'
  if (needsHeld && heldBase.missing) return heldBase
  if (needsHeld && heldQuote.missing) return heldQuote
  const [base, quote] = [BigInt(heldBase.value ?? '0'), BigInt(heldQuote.value ?? '0')]
  const { baseIsToken0 } = state.value
  const held = baseIsToken0 ? { held0: base, held1: quote } : { held0: quote, held1: base }
  const { reserve0, reserve1 } = reservesOf(stateIn(named.kind, state.value), held)
  const reserves = baseIsToken0 ? [reserve0, reserve1] : [reserve1, reserve0]
  return { value: { base: String(reserves[0]), quote: String(reserves[1]) }, missing: null }
}

function poolOf(
  session: Session,
  { named, codeKnown, heldBase, heldQuote, state }: Figures,
  {
    index,
    reserve,
    quote,
  }: {
    index: number
    reserve: ReadResult<Reserves>
    quote: contract.PublicPool['quote']
  },
): contract.PublicPool {
  const at = (member: string) => `/pools/${index}/${member}`
  const { kind, address, factory, feePips } = named
  if (codeKnown.value !== true) {
    const detail = 'The pool code matches no known published build. Its figures are self-reported.'
    session.note(codeKnown.missing ?? { code: 'UNKNOWN_CODE', detail }, at('codeKnown'))
  }
  const method = kind === 'UNISWAP_V2' ? 'getReserves()' : 'slot0(), liquidity(), balanceOf'
  const mid = state.missing
    ? state
    : toPrice(midX36(stateIn(kind, state.value), state.value.baseIsToken0))
  return {
    kind,
    address,
    factory,
    codeKnown: codeKnown.value === true,
    feePips,
    quote,
    heldBase: session.fact(at('heldBase'), `balanceOf(${address})`, heldBase),
    heldQuote: session.fact(at('heldQuote'), `balanceOf(${address})`, heldQuote),
    reserveBase: session.fact(
      at('reserveBase'),
      method,
      from(reserve, ({ base }) => base),
    ),
    reserveQuote: session.fact(
      at('reserveQuote'),
      method,
      from(reserve, ({ quote }) => quote),
    ),
    midX36: session.fact(at('midX36'), kind === 'UNISWAP_V2' ? method : 'slot0()', mid),
  }
}

const toPrice = (mid: bigint | null): ReadResult<string> =>
  mid === null
    ? missing('CALL_FAILED', 'The pool has no price: it is empty or was never initialized.')
    : { value: String(mid), missing: null }

import type { contract, FieldErrors } from '@liquidity-os/contract'
import {
  type ClmmState,
  type CpmmState,
  createClmmPool,
  createCpmmPair,
  createStablePool,
  findTickFaults,
  LOCKED_ACCOUNT,
  MAX_SQRT_RATIO,
  MIN_SQRT_RATIO,
  type Orientation,
  type StableState,
  tickAtSqrtRatio,
} from '@liquidity-os/engine/amm'
import { applyOperation } from '@liquidity-os/engine/parity'
import type { Static } from 'typebox'

export type InlineMarket = Static<typeof contract.InlineMarket>
type Pair = Static<typeof contract.Pair>
type Inline<Kind extends InlineMarket['kind']> = Extract<InlineMarket, { kind: Kind }>

/** Every market whose providers can be simulated. */
export type SimulatedMarket = ClmmState | CpmmState | StableState

/** A market state that no contract can have; the faults contain the field paths. */
export class InlineMarketError extends Error {
  readonly fieldErrors: FieldErrors

  constructor(fieldErrors: FieldErrors) {
    super('The market is inconsistent.')
    this.fieldErrors = fieldErrors
  }
}

const at = 'payload.market.inline'
const refuse = (member: string, message: string) =>
  new InlineMarketError({ [member ? `${at}.${member}` : at]: [message] })

/** The pool token that is the base; Uniswap contracts order tokens by address. */
export function orientationOf(pair: Pair, market?: InlineMarket): Orientation {
  if (market?.kind === 'STABLESWAP') {
    const base = market.coins[0]?.toLowerCase() === pair.base.toLowerCase() ? 0 : 1
    return { base, quote: 1 - base }
  }
  const isQuote0 = pair.quote.toLowerCase() < pair.base.toLowerCase()
  return isQuote0 ? { base: 1, quote: 0 } : { base: 0, quote: 1 }
}

/**
 * The market of a request.
 *
 * @throws InlineMarketError for a state that no contract can have
 */
export function marketOfInline(market: InlineMarket, pair: Pair): SimulatedMarket {
  switch (market.kind) {
    case 'UNISWAP_V3':
      return clmmOf(market)
    case 'UNISWAP_V2':
      return cpmmOf(market)
    case 'STABLESWAP':
      return stableOf(market, pair)
  }
}

function clmmOf(market: Inline<'UNISWAP_V3'>): ClmmState {
  const { feePips, tickSpacing, feeProtocol0 = 0, feeProtocol1 = 0 } = market
  const pool = createClmmPool({ feePips, tickSpacing })
  const sqrtPriceX96 = BigInt(market.sqrtPriceX96)
  if (sqrtPriceX96 < MIN_SQRT_RATIO || sqrtPriceX96 >= MAX_SQRT_RATIO) {
    throw refuse('sqrtPriceX96', `must be from ${MIN_SQRT_RATIO} to below ${MAX_SQRT_RATIO}`)
  }
  for (const [name, share] of Object.entries({ feeProtocol0, feeProtocol1 })) {
    if (share !== 0 && share < 4) throw refuse(name, `must be 0 or 4 to 10, got ${share}`)
  }
  const ticks = ticksOf(market)
  const tick = tickAtSqrtRatio(sqrtPriceX96)
  const below = ticks.filter(({ index }) => index <= tick)
  const liquidity = below.reduce((sum, { liquidityNet }) => sum + liquidityNet, 0n)
  // Like a contract after its initialization: the oracle has one observation.
  const { state } = applyOperation(pool, { kind: 'v3.initialize', timestamp: 0, sqrtPriceX96 })
  const made = { ...(state as ClmmState), feeProtocol0, feeProtocol1, liquidity, ticks }
  refuseInvalidTicks(market, made)
  if (liquidity === 0n)
    throw refuse('ticks', `must give liquidity at the current price, tick ${tick}`)
  return made
}

/** Reports each fault at the path of its tick in the request. */
function refuseInvalidTicks({ ticks }: Inline<'UNISWAP_V3'>, made: ClmmState): void {
  const faults: FieldErrors = {}
  for (const { index, detail } of findTickFaults(made)) {
    const itemIndex = ticks.findIndex((tick) => tick.index === index)
    const field = itemIndex < 0 ? `${at}.ticks` : `${at}.ticks.${itemIndex}`
    faults[field] = [...(faults[field] ?? []), detail]
  }
  if (Object.keys(faults).length > 0) throw new InlineMarketError(faults)
}

function ticksOf({ ticks, tickSpacing }: Inline<'UNISWAP_V3'>): ClmmState['ticks'] {
  const faults: FieldErrors = {}
  const fault = (place: number, message: string) => {
    faults[`${at}.ticks.${place}`] = [message]
  }
  const seen = new Set<number>()
  for (const [place, tick] of ticks.entries()) {
    if (seen.has(tick.index)) fault(place, `index ${tick.index} must be unique`)
    seen.add(tick.index)
    if (tick.index % tickSpacing !== 0) fault(place, `index must be a multiple of ${tickSpacing}`)
    if (BigInt(tick.liquidityGross) === 0n) fault(place, 'liquidityGross must be above 0')
  }
  if (Object.keys(faults).length > 0) throw new InlineMarketError(faults)
  return ticks
    .map(({ index, liquidityGross, liquidityNet }) => ({
      index,
      liquidityGross: BigInt(liquidityGross),
      liquidityNet: BigInt(liquidityNet),
      feeGrowthOutside0X128: 0n,
      feeGrowthOutside1X128: 0n,
      tickCumulativeOutside: 0n,
      secondsPerLiquidityOutsideX128: 0n,
      secondsOutside: 0,
    }))
    .sort((a, b) => a.index - b.index)
}

const largestReserve = (1n << 112n) - 1n

function cpmmOf(market: Inline<'UNISWAP_V2'>): CpmmState {
  const { feePips = 3000 } = market
  const [reserve0, reserve1] = [BigInt(market.reserve0), BigInt(market.reserve1)]
  for (const [name, reserve] of Object.entries({ reserve0, reserve1 })) {
    if (reserve === 0n || reserve > largestReserve) {
      throw refuse(name, `must be from 1 to ${largestReserve}`)
    }
  }
  const totalSupply = BigInt(market.totalSupply)
  if (totalSupply <= 1000n) throw refuse('totalSupply', 'must be above 1000, the locked amount')
  if (feePips === 1_000_000) throw refuse('feePips', 'must be below 1000000')
  const isThousandths = feePips % 1000 === 0
  return {
    ...createCpmmPair({
      // If the contract has a fee scale, the fee uses it.
      fee: isThousandths
        ? { numerator: BigInt(feePips / 1000), denominator: 1000n }
        : { numerator: BigInt(feePips), denominator: 1_000_000n },
    }),
    reserve0,
    reserve1,
    balance0: reserve0,
    balance1: reserve1,
    totalSupply,
    liquidityOf: { [LOCKED_ACCOUNT]: 1000n, others: totalSupply - 1000n },
  }
}

function stableOf(market: Inline<'STABLESWAP'>, pair: Pair): StableState {
  const coins = market.coins.map((coin) => coin.toLowerCase()).sort()
  const tokens = [pair.base, pair.quote].map((token) => token.toLowerCase()).sort()
  if (coins.join() !== tokens.join())
    throw refuse('coins', 'must be the base and quote of the pair')
  const balances = market.balances.map(BigInt)
  const totalSupply = BigInt(market.totalSupply)
  if (balances.includes(0n)) throw refuse('balances', 'must be above zero')
  if (totalSupply === 0n) throw refuse('totalSupply', 'must be above zero')
  try {
    const pool = createStablePool({
      variant: market.variant,
      rates: market.rates.map(BigInt),
      amplification: BigInt(market.amplification),
      feeX10: BigInt(market.feeX10),
      adminFeeX10: BigInt(market.adminFeeX10 ?? 0),
      offpegFeeMultiplierX10: BigInt(market.offpegFeeMultiplierX10 ?? 0),
    })
    return { ...pool, balances, totalSupply }
  } catch (error) {
    if (error instanceof RangeError) throw refuse('', error.message)
    throw error
  }
}

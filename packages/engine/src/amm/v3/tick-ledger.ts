import type { ClmmState, TickState } from './state.ts'
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from './tick-math.ts'

/** Range of ticks that were read. Ticks outside are unknown. */
export interface TickWindow {
  readonly lowest: number
  readonly highest: number
}

/** A contradiction between a pool's ticks and the rest of its state. */
export interface TickFault {
  readonly code:
    | 'PRICE_NOT_OF_TICK'
    | 'TICK_NET_IMPOSSIBLE'
    | 'TICK_GROSS_BEYOND_LIMIT'
    | 'LIQUIDITY_BELOW_ZERO'
    | 'LIQUIDITY_NOT_SUM_OF_TICKS'
    | 'TICKS_DO_NOT_CLOSE'
    | 'POSITION_WITHOUT_TICK'
    | 'BIT_WITHOUT_TICK'
    | 'TICK_WITHOUT_BIT'
  /** Tick with the fault; null for a fault of the whole pool. */
  readonly index: number | null
  readonly detail: string
}

/** Additional evidence on the ticks, outside of the state. */
export interface TickEvidence {
  /** Set if only a range of the ticks was read; default all ticks. */
  readonly window?: TickWindow | null
  /** Indexes of the ticks set in the pool's bitmap, if it was read. */
  readonly bitmap?: readonly number[] | null
}

/**
 * Checks that price, liquidity, ticks and positions of a v3 pool are consistent. The contract
 * records the same liquidity in five places, so a missing or invented tick usually violates one of
 * these identities:
 *
 *     Σ liquidityNet up to the current tick = liquidity        Σ liquidityNet of all = 0
 *     liquidity between two ticks ≥ 0                          the bitmap marks exactly these ticks
 *     liquidityGross of a tick ≥ liquidity of the listed positions at the tick
 *
 * One gap remains: a missing pair of ticks used by a single unlisted position away from the price
 * changes no sum. Without the bitmap, only an event that names the pair reveals it
 * (`TickCoverage`).
 *
 * For a window, the liquidity below and above it is the remainder, which must not be negative.
 *
 * @returns the faults in the order above, then by tick; empty for a state that the contract could
 * have
 */
export function findTickFaults(state: ClmmState, evidence: TickEvidence = {}): TickFault[] {
  const window = evidence.window ?? null
  return [
    ...judgePrice(state),
    ...state.ticks.flatMap((tick) => judgeTick(tick, state.maxLiquidityPerTick)),
    ...judgeSums(state, window),
    ...judgePositions(state, window),
    ...(evidence.bitmap ? judgeBitmap(state, evidence.bitmap, window) : []),
  ]
}

/** The first faults in one line, and how many there are. */
export function describeTickFaults(faults: readonly TickFault[]): string {
  const shown = faults.slice(0, 3).map(({ code, detail }) => `${code}: ${detail}`)
  const more = faults.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

function judgePrice({ sqrtPriceX96, tick }: ClmmState): TickFault[] {
  if (sqrtPriceX96 === 0n || tick < MIN_TICK - 1 || tick >= MAX_TICK) return []
  const low = tick < MIN_TICK ? 0n : sqrtRatioAtTick(tick)
  // A swap that ends on a tick from above has left it: its price is then the upper end of the tick below.
  if (sqrtPriceX96 >= low && sqrtPriceX96 <= sqrtRatioAtTick(tick + 1)) return []
  return [fault('PRICE_NOT_OF_TICK', tick, `root price ${sqrtPriceX96} is not in tick ${tick}`)]
}

function judgeTick({ index, liquidityGross, liquidityNet }: TickState, most: bigint): TickFault[] {
  const faults: TickFault[] = []
  const size = liquidityNet < 0n ? -liquidityNet : liquidityNet
  // Every position adds to the gross what it adds to or takes from the net.
  if (size > liquidityGross || (liquidityGross - size) % 2n !== 0n) {
    const detail = `tick ${index} has net ${liquidityNet}, which is impossible with gross ${liquidityGross}`
    faults.push(fault('TICK_NET_IMPOSSIBLE', index, detail))
  }
  if (liquidityGross > most) {
    const detail = `tick ${index} has gross ${liquidityGross}, above the limit per tick of ${most}`
    faults.push(fault('TICK_GROSS_BEYOND_LIMIT', index, detail))
  }
  return faults
}

function judgeSums({ ticks, tick, liquidity }: ClmmState, window: TickWindow | null): TickFault[] {
  let net = 0n
  let atPrice = 0n
  let least = { sum: 0n, index: null as number | null }
  for (const { index, liquidityNet } of ticks) {
    net += liquidityNet
    if (index <= tick) atPrice = net
    if (net < least.sum) least = { sum: net, index }
  }
  // What positions that begin below the window bring into it.
  const entering = window === null ? 0n : liquidity - atPrice
  const faults: TickFault[] = []
  if (entering < 0n) {
    const detail = `ticks up to ${tick} sum to ${atPrice}, more than the liquidity ${liquidity}`
    faults.push(fault('LIQUIDITY_NOT_SUM_OF_TICKS', null, detail))
  } else if (entering + least.sum < 0n) {
    const detail = `from tick ${least.index} on there would be ${entering + least.sum}`
    faults.push(fault('LIQUIDITY_BELOW_ZERO', least.index, detail))
  }
  if (window !== null) return faults
  if (atPrice !== liquidity) {
    const detail = `liquidityNet up to tick ${tick} sums to ${atPrice}, the liquidity is ${liquidity}`
    faults.push(fault('LIQUIDITY_NOT_SUM_OF_TICKS', null, detail))
  }
  if (net !== 0n) {
    const detail = `liquidityNet of all ${ticks.length} ticks sums to ${net}, not 0`
    faults.push(fault('TICKS_DO_NOT_CLOSE', null, detail))
  }
  return faults
}

function judgePositions(state: ClmmState, window: TickWindow | null): TickFault[] {
  const held = new Map<number, bigint>()
  for (const { tickLower, tickUpper, liquidity } of state.positions) {
    if (liquidity === 0n) continue
    for (const index of [tickLower, tickUpper]) {
      held.set(index, (held.get(index) ?? 0n) + liquidity)
    }
  }
  const gross = new Map(state.ticks.map((tick) => [tick.index, tick.liquidityGross]))
  return [...held].flatMap(([index, liquidity]) => {
    const has = gross.get(index) ?? 0n
    if (has >= liquidity || !isWithin(index, window)) return []
    const detail = `positions hold ${liquidity} at tick ${index}, which has gross ${has}`
    return [fault('POSITION_WITHOUT_TICK', index, detail)]
  })
}

function judgeBitmap(
  { ticks }: ClmmState,
  bitmap: readonly number[],
  window: TickWindow | null,
): TickFault[] {
  const set = new Set(bitmap)
  const listed = new Set(ticks.map(({ index }) => index))
  const missing = bitmap.filter((index) => !listed.has(index) && isWithin(index, window))
  const unmarked = ticks.filter(({ index }) => !set.has(index))
  return [
    ...missing.map((index) =>
      fault('BIT_WITHOUT_TICK', index, `the bitmap marks tick ${index}, which is not listed`),
    ),
    ...unmarked.map(({ index }) =>
      fault('TICK_WITHOUT_BIT', index, `tick ${index} is listed, but the bitmap does not mark it`),
    ),
  ]
}

/** Whether the window contains a tick. */
export function isWithin(index: number, window: TickWindow | null): boolean {
  return window === null || (index >= window.lowest && index <= window.highest)
}

/**
 * Indexes of the ticks whose bits are set in a word of a pool's bitmap, ascending.
 *
 * @param bits the word, uint256
 * @param word its place, as `tickBitmap` takes it
 */
export function setBits(bits: bigint, word: number, tickSpacing: number): number[] {
  const indexes: number[] = []
  for (let bit = 0, rest = bits; rest > 0n; bit++, rest >>= 1n) {
    if ((rest & 1n) === 1n) indexes.push((word * 256 + bit) * tickSpacing)
  }
  return indexes
}

function fault(code: TickFault['code'], index: number | null, detail: string): TickFault {
  return { code, index, detail }
}

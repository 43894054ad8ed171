import { MAX_UINT128 } from '../../../arithmetic/integer.ts'
import { PoolRevertError, type RevertReason } from '../../pool-revert.ts'
import {
  collectProtocolFees,
  flashLoan,
  initializePool,
  setProtocolShare,
} from '../administration.ts'
import type { TokenAmounts } from '../liquidity.ts'
import { loadPool, type Pool, positionKey, setPoolFee } from '../pool.ts'
import type { ClmmState, PositionKey } from '../state.ts'
import type { SwapRequest, SwapTotals } from '../swap.ts'
import { ClmmMemory } from './memory.ts'
import { type ClmmExports, instantiateClmm } from './module.ts'
import {
  type ClmmScalars,
  findUnfit,
  readObservations,
  readPosition,
  readTicks,
  writeObservations,
  writePosition,
  writeScalars,
  writeTerms,
  writeTicks,
} from './transfer.ts'

export interface SwapOutcome extends SwapTotals {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  /** Initialised ticks crossed. */
  readonly crossed: number
}

/** Revert reasons, indexed by the numbers of `assembly/reverts.ts`. */
export const REVERTS: readonly RevertReason[] = [
  '',
  '',
  'AS',
  'LOK',
  'SPL',
  'LS',
  'LA',
  'LO',
  'TF',
  'TLU',
  'TLM',
  'TUM',
  'NP',
]
const INT256 = 1n << 255n
/** Above every tick. */
const BEYOND_TICKS = 1_000_000
const UINT160 = 1n << 160n

interface HeldPosition extends PositionKey {
  readonly at: number
}

/**
 * A mutable v3 pool in WebAssembly with separate memory. It has every operation of the TypeScript
 * pool, with bit-exact results, and is many times faster. A failed operation leaves the state
 * unchanged.
 *
 * Rare operations run the TypeScript code on the fields they change.
 */
export class ClmmSession {
  readonly #x: ClmmExports
  readonly #memory: ClmmMemory
  readonly #at: SwapCells
  readonly #positions = new Map<string, HeldPosition>()
  #terms: Pick<
    ClmmState,
    'feePips' | 'tickSpacing' | 'maxLiquidityPerTick' | 'feeProtocol0' | 'feeProtocol1'
  >
  #balancesKnown: readonly [boolean, boolean]
  #blockTimestamp = 0

  /** @throws RangeError for a state that no contract could be in, see `findUnfit` */
  constructor(state: ClmmState) {
    const unfit = findUnfit(state)
    if (unfit !== null) throw new RangeError(`an invalid pool state: ${unfit}`)
    this.#x = instantiateClmm()
    this.#memory = new ClmmMemory(this.#x)
    this.#at = swapCells(this.#x)
    this.#terms = state
    this.#balancesKnown = [state.balance0 !== null, state.balance1 !== null]
    this.blockTimestamp = state.blockTimestamp
    this.#x.setFee(state.feePips)
    this.#memory.write256(this.#x.MAX_LIQUIDITY_PER_TICK.value, state.maxLiquidityPerTick)
    writeScalars(this.#x, this.#memory, state)
    writeTicks(this.#x, this.#memory, state.ticks)
    writeObservations(this.#x, this.#memory, state.observations)
    const { observationIndex, observationCardinality, observationCardinalityNext } = state
    this.#x.setOracle(observationIndex, observationCardinality, observationCardinalityNext)
    writeTerms(this.#x, state)
    for (const position of state.positions) {
      writePosition(this.#memory, this.#hold(position).at, position)
    }
  }

  /** Block time of the next operation, in seconds. */
  get blockTimestamp(): number {
    return this.#blockTimestamp
  }
  set blockTimestamp(seconds: number) {
    this.#blockTimestamp = seconds
    this.#x.setNow(seconds >>> 0)
  }
  get sqrtPriceX96(): bigint {
    return this.#memory.read192(this.#x.PRICE.value)
  }
  get tick(): number {
    return this.#x.tick.value
  }
  get liquidity(): bigint {
    return this.#memory.read128(this.#x.LIQUIDITY.value)
  }

  /**
   * Sets the pool to a logged state without the swap that led there: no fee grows and no tick is
   * crossed.
   *
   * @param place the tick must match the price, and the liquidity must match the tick
   */
  place({ sqrtPriceX96, tick, liquidity }: Pick<ClmmState, 'sqrtPriceX96' | 'tick' | 'liquidity'>) {
    this.#memory.write192(this.#x.PRICE.value, sqrtPriceX96)
    this.#memory.write128(this.#x.LIQUIDITY.value, liquidity)
    this.#x.putAt(tick)
  }

  /** Carries a swap out. @throws PoolRevertError as the contract: AS, LOK, SPL, TF */
  swap(request: SwapRequest): SwapOutcome {
    assertDone(this.#x.walk(...this.#ask(request)))
    const outcome = this.#outcome()
    assertDone(this.#x.commit())
    return outcome
  }

  /**
   * Computes a swap and leaves the pool unchanged. @throws PoolRevertError like the contract,
   * except TF
   */
  quote(request: SwapRequest): SwapOutcome {
    assertDone(this.#x.quote(...this.#ask(request)))
    return this.#outcome()
  }

  /**
   * Like `quote`, without the resulting pool state. Reading that state costs as much time as
   * reading the amounts.
   */
  quoteTotals(request: SwapRequest): SwapTotals {
    assertDone(this.#x.quote(...this.#ask(request)))
    return this.#totals()
  }

  /** Adds liquidity. @see mintLiquidity */
  mint(key: PositionKey, liquidity: bigint): TokenAmounts {
    this.#askLiquidity(liquidity)
    const held = this.#positions.get(positionKey(key))
    const at = held === undefined ? this.#draft(key) : held.at
    assertDone(this.#x.mint(at))
    if (held === undefined) this.#remember(key, at)
    return this.#amounts()
  }

  /** Removes liquidity, or with zero brings fees up to date. @see burnLiquidity */
  burn(key: PositionKey, liquidity: bigint): TokenAmounts {
    this.#askLiquidity(liquidity)
    const held = this.#positions.get(positionKey(key))
    // A missing position has zero liquidity, so the burn always throws.
    const at = held === undefined ? this.#draft(key) : held.at
    assertDone(this.#x.burn(at))
    return this.#amounts()
  }

  /** Pays out what is owed, at most the requested amounts. @see collectOwed */
  collect(key: PositionKey, requested: TokenAmounts): TokenAmounts {
    if (this.sqrtPriceX96 === 0n) throw new PoolRevertError({ reason: 'LOK' })
    const held = this.#positions.get(positionKey(key))
    if (held === undefined) return { amount0: 0n, amount1: 0n }
    const at = this.#x.AMOUNTS.value
    if (requested.amount0 < 0n || requested.amount1 < 0n) throw new RangeError('a negative amount')
    // Owed amounts have at most 128 bits.
    const bound = (amount: bigint) => (amount > MAX_UINT128 ? MAX_UINT128 : amount)
    this.#memory.write256(at, bound(requested.amount0))
    this.#memory.write256(at + 32, bound(requested.amount1))
    assertDone(this.#x.collect(held.at))
    return this.#amounts()
  }

  /** Gives a position at least a liquidity, for start states that do not list every position. */
  completePosition(key: PositionKey, liquidity: bigint): void {
    const { at } = this.#positions.get(positionKey(key)) ?? this.#hold(key)
    this.#memory.write256(this.#x.ASKED.value, liquidity)
    this.#x.completePosition(at)
  }

  /** @see initializePool */
  initialize(sqrtPriceX96: bigint): void {
    const pool = this.#runReadable((pool) => initializePool(pool, sqrtPriceX96))
    writeTerms(this.#x, pool)
    writeObservations(this.#x, this.#memory, pool.observations)
    const { observationIndex, observationCardinality, observationCardinalityNext } = pool
    this.#x.setOracle(observationIndex, observationCardinality, observationCardinalityNext)
  }

  /** @see flashLoan */
  flash(loan: TokenAmounts, paid: TokenAmounts): TokenAmounts {
    let due: TokenAmounts = { amount0: 0n, amount1: 0n }
    this.#runReadable((pool) => {
      due = flashLoan(pool, loan, paid)
    })
    return due
  }

  /** @see setProtocolShare */
  setProtocolShare(feeProtocol0: number, feeProtocol1: number): void {
    const pool = this.#runReadable((pool) => setProtocolShare(pool, feeProtocol0, feeProtocol1))
    this.#terms = { ...this.#terms, feeProtocol0, feeProtocol1 }
    writeTerms(this.#x, pool)
  }

  /** @see collectProtocolFees */
  collectProtocol(requested: TokenAmounts): TokenAmounts {
    let paid: TokenAmounts = { amount0: 0n, amount1: 0n }
    this.#runReadable((pool) => {
      paid = collectProtocolFees(pool, requested)
    })
    return paid
  }

  /** @see increaseObservationCardinalityNext */
  increaseObservationCardinalityNext(next: number): void {
    if (this.sqrtPriceX96 === 0n) throw new PoolRevertError({ reason: 'LOK' })
    this.#x.increaseCardinalityNext(next)
  }

  /** @see setPoolFee */
  setFee(feePips: number): void {
    this.#runReadable((pool) => setPoolFee(pool, feePips))
    this.#terms = { ...this.#terms, feePips }
    this.#x.setFee(feePips)
  }

  /** The pool as a value, independent of later session changes. */
  toState(): ClmmState {
    const x = this.#x
    return {
      kind: 'UNISWAP_V3',
      ...this.#scalars(),
      ticks: readTicks(x, this.#memory),
      positions: [...this.#positions.values()]
        .map(({ at, ...key }) => ({ ...key, ...readPosition(this.#memory, at) }))
        .sort(byPositionKey),
      observations: readObservations(x, this.#memory),
    }
  }

  /** Access for the parts of the engine that exchange many numbers at once. */
  get inside(): { readonly exports: ClmmExports; readonly memory: ClmmMemory } {
    return { exports: this.#x, memory: this.#memory }
  }

  /**
   * Writes a request to memory. @returns whether token0 enters, and whether the amount is an input
   */
  #ask({ zeroForOne, amountSpecified, sqrtPriceLimitX96 }: SwapRequest): [number, number] {
    const exactInput = amountSpecified > 0n
    const amount = exactInput ? amountSpecified : -amountSpecified
    const limit =
      sqrtPriceLimitX96 < 0n ? 0n : sqrtPriceLimitX96 < UINT160 ? sqrtPriceLimitX96 : UINT160
    if (amount > INT256) throw new RangeError('an amount above int256')
    this.#memory.write256(this.#at.asked, amount)
    this.#memory.write192(this.#at.limit, limit)
    return [zeroForOne ? 1 : 0, exactInput ? 1 : 0]
  }

  #outcome(): SwapOutcome {
    const x = this.#x
    const m = this.#memory
    return {
      ...this.#totals(),
      sqrtPriceX96: m.read192(x.AT_PRICE.value),
      tick: x.reachedTick(),
      liquidity: m.read128(x.AT_LIQUIDITY.value),
      crossed: x.crossed.value,
    }
  }

  #totals(): SwapTotals {
    const m = this.#memory
    const at = this.#at
    return {
      amountIn: m.read256(at.totalIn),
      amountOut: m.read256(at.totalOut),
      fee: m.read256(at.totalFee),
      exhausted: m.read256(at.remaining) > 0n,
    }
  }

  #amounts(): TokenAmounts {
    const at = this.#x.AMOUNTS.value
    return { amount0: this.#memory.read256(at), amount1: this.#memory.read256(at + 32) }
  }

  #askLiquidity(liquidity: bigint): void {
    // Below zero and beyond 256 bits are refused like everything beyond int128.
    const asked = BigInt.asUintN(256, liquidity) === liquidity ? liquidity : INT256
    this.#memory.write256(this.#x.ASKED.value, asked)
  }

  /** An empty position. Ticks beyond the range are brought near it, in their order: they are refused alike. */
  #draft({ tickLower, tickUpper }: PositionKey): number {
    const bound = (tick: number) => Math.max(-BEYOND_TICKS, Math.min(BEYOND_TICKS, tick))
    const lower = bound(tickLower)
    const upper = tickLower < tickUpper ? Math.max(bound(tickUpper), lower + 1) : bound(tickUpper)
    return this.#x.draftPosition(lower, upper)
  }

  #hold(key: PositionKey): HeldPosition {
    return this.#remember(key, this.#draft(key))
  }

  #remember({ owner, tickLower, tickUpper }: PositionKey, at: number): HeldPosition {
    const held = { owner, tickLower, tickUpper, at }
    this.#positions.set(positionKey(held), held)
    this.#x.keepDraft()
    return held
  }

  #scalars(): ClmmScalars {
    const x = this.#x
    const m = this.#memory
    const { feePips, tickSpacing, maxLiquidityPerTick, feeProtocol0, feeProtocol1 } = this.#terms
    const [known0, known1] = this.#balancesKnown
    return {
      feePips,
      tickSpacing,
      maxLiquidityPerTick,
      blockTimestamp: this.#blockTimestamp,
      sqrtPriceX96: this.sqrtPriceX96,
      tick: this.tick,
      observationIndex: x.observationIndex.value,
      observationCardinality: x.observationCardinality.value,
      observationCardinalityNext: x.observationCardinalityNext.value,
      feeProtocol0,
      feeProtocol1,
      feeGrowthGlobal0X128: m.read256(x.FEE_GROWTH.value),
      feeGrowthGlobal1X128: m.read256(x.FEE_GROWTH.value + 32),
      protocolFees0: m.read128(x.PROTOCOL_FEES.value),
      protocolFees1: m.read128(x.PROTOCOL_FEES.value + 16),
      liquidity: this.liquidity,
      balance0: known0 ? m.read256(x.BALANCES.value) : null,
      balance1: known1 ? m.read256(x.BALANCES.value + 32) : null,
    }
  }

  /** Runs an operation of the readable pool that touches no list, and takes over what it changed. */
  #runReadable(operation: (pool: Pool) => void): Pool {
    const lists = { ticks: [], positions: [], observations: [] }
    const pool = loadPool({ kind: 'UNISWAP_V3', ...this.#scalars(), ...lists })
    operation(pool)
    writeScalars(this.#x, this.#memory, pool)
    return pool
  }
}

/** Where what a swap asks and gives lies: asking the module each time takes as long as to read it. */
function swapCells(x: ClmmExports) {
  return {
    asked: x.ASKED.value,
    limit: x.LIMIT.value,
    totalIn: x.TOTAL_IN.value,
    totalOut: x.TOTAL_OUT.value,
    totalFee: x.TOTAL_FEE.value,
    remaining: x.REMAINING.value,
  }
}

type SwapCells = ReturnType<typeof swapCells>

/** Opens a session on a state, which stays untouched. @throws RangeError, see `findUnfit` */
export function openClmmSession(state: ClmmState): ClmmSession {
  return new ClmmSession(state)
}

function assertDone(status: number): void {
  if (status !== 0) throw new PoolRevertError({ reason: REVERTS[status] ?? '' })
}

function byPositionKey(a: PositionKey, b: PositionKey): number {
  if (a.owner !== b.owner) return a.owner < b.owner ? -1 : 1
  return a.tickLower - b.tickLower || a.tickUpper - b.tickUpper
}

import { PoolRevertError } from '../amm/pool-revert.ts'
import { type ClmmSession, openClmmSession } from '../amm/v3/fast/session.ts'
import { findUnfit } from '../amm/v3/fast/transfer.ts'
import { loadPool, type Pool, snapshotPool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { MAX_TICK, MIN_TICK } from '../amm/v3/tick-math.ts'
import { isLiquidity, type PositionCoverage, replayClmmEvent } from './clmm-replay.ts'
import type { ClmmEvent, LiquidityEvent, SwapEvent } from './events.ts'
import { compareFields, type SwapMode, type Verdict } from './fidelity.ts'

const EXACT: Verdict = { status: 'EXACT' }
/** By the numbers of `assembly/recovery.ts`. */
const EXACT_IN_MODE: readonly (Verdict | null)[] = [
  null,
  ...(
    ['EXACT_INPUT', 'EXACT_OUTPUT', 'PRICE_LIMIT', 'PRICE_LIMIT_WITH_INPUT'] satisfies SwapMode[]
  ).map((mode): Verdict => ({ status: 'EXACT', mode })),
]
const UNPAID = 5
const INT128 = 1n << 127n
const UINT128 = 1n << 128n
const UINT160 = 1n << 160n

/**
 * Replays a recording on the fast engine while every swap is reproduced. At the first failure, the
 * TypeScript engine takes over, evaluates it and continues. Differences are rare, so their
 * description and adoption exist only once.
 */
export class ClmmReplay {
  readonly #positions: PositionCoverage
  #session: ClmmSession | null
  #pool: Pool | null

  /** @param state the pool before the first event; not changed */
  constructor(state: ClmmState, positions: PositionCoverage) {
    this.#positions = positions
    const isFit = findUnfit(state) === null
    this.#session = isFit ? openClmmSession(state) : null
    this.#pool = isFit ? null : loadPool(state)
  }

  get sqrtPriceX96(): bigint {
    return this.#present.sqrtPriceX96
  }
  get tick(): number {
    return this.#present.tick
  }
  get liquidity(): bigint {
    return this.#present.liquidity
  }

  /** Applies the next event and reports whether the engine reproduces it. */
  apply(event: ClmmEvent): Verdict {
    const session = this.#session
    if (session === null || !isOrdinary(event)) return this.#applyReadable(event)
    if (event.timestamp !== null && event.timestamp !== session.blockTimestamp) {
      session.blockTimestamp = event.timestamp
    }
    if (event.type === 'Swap') return replaySwap(session, event) ?? this.#applyReadable(event)
    try {
      if (isLiquidity(event)) return replayLiquidity(session, event, this.#positions)
      return replayOther(session, event, this.#positions)
    } catch (error) {
      if (!(error instanceof PoolRevertError)) throw error
      const computed = error.reason === '' ? 'revert' : `revert ${error.reason}`
      return compareOutcome(computed)
    }
  }

  /** The pool as a value. */
  final(): ClmmState {
    return this.#session === null ? snapshotPool(this.#readable()) : this.#session.toState()
  }

  get #present(): ClmmSession | Pool {
    // One of the two is always there.
    return this.#session ?? (this.#pool as Pool)
  }

  #applyReadable(event: ClmmEvent): Verdict {
    return replayClmmEvent(this.#readable(), event, this.#positions)
  }

  #readable(): Pool {
    if (this.#session !== null) this.#pool = loadPool(this.#session.toState())
    this.#session = null
    // One of the two is always there.
    return this.#pool as Pool
  }
}

/** Whether a session can hold what an event names; numbers no contract could log go to the readable engine. */
function isOrdinary(event: ClmmEvent): boolean {
  const isAmount = (amount: bigint) => amount >= 0n && amount < UINT160
  switch (event.type) {
    case 'Burn':
      return (
        event.liquidity >= 0n &&
        isInt128(event.liquidity) &&
        isTick(event.tickLower) &&
        isTick(event.tickUpper)
      )
    case 'Collect':
    case 'CollectProtocol':
      return isAmount(event.amount0) && isAmount(event.amount1)
    case 'Flash':
      return [event.amount0, event.amount1, event.paid0, event.paid1].every(isAmount)
    case 'IncreaseObservationCardinalityNext':
      return event.observationCardinalityNext < 2 ** 16
    default:
      return true
  }
}

function isTick(tick: number): boolean {
  return tick >= MIN_TICK && tick <= MAX_TICK
}

function compareOutcome(computed: string): Verdict {
  return { status: 'DIFFERENT', mismatches: [{ field: 'outcome', recorded: 'success', computed }] }
}

/** @returns null when no call reproduces the log; the pool is unchanged then */
function replaySwap(session: ClmmSession, event: SwapEvent): Verdict | null {
  const { amount0, amount1, sqrtPriceX96, liquidity, tick } = event
  const isFit =
    isInt128(amount0) &&
    isInt128(amount1) &&
    sqrtPriceX96 >= 0n &&
    sqrtPriceX96 < UINT160 &&
    liquidity >= 0n &&
    liquidity < UINT128
  if (!isFit) return null
  const { exports, memory } = session.inside
  const { words } = memory
  const at = exports.LOG.value >> 3
  // The typed array stores only the lowest 64 bits, in two's complement.
  words[at] = amount0
  words[at + 1] = amount0 >> 64n
  words[at + 2] = amount1
  words[at + 3] = amount1 >> 64n
  words[at + 4] = sqrtPriceX96
  const high = sqrtPriceX96 >> 64n
  words[at + 5] = high
  words[at + 6] = high >> 64n
  words[at + 7] = liquidity
  words[at + 8] = liquidity >> 64n
  memory.numbers[(at + 9) << 1] = tick
  const mode = recover(session, event.amountSpecified)
  if (mode === UNPAID) throw new PoolRevertError({ reason: 'TF' })
  return EXACT_IN_MODE[mode] ?? null
}

/** @param asked recorded requested amount, if any */
function recover(session: ClmmSession, asked: bigint | undefined): number {
  const { exports, memory } = session.inside
  if (asked === undefined) return exports.recover()
  if (BigInt.asIntN(256, asked) !== asked) return 0
  memory.write256(exports.LOG_ASKED.value, asked < 0n ? -asked : asked)
  return exports.recoverAsked(asked > 0n ? 1 : 0)
}

/** The magnitude of −2^127 has no place in 128 signed bits, so it is left out. */
function isInt128(amount: bigint): boolean {
  return amount < INT128 && amount > -INT128
}

function replayLiquidity(
  session: ClmmSession,
  event: LiquidityEvent,
  positions: PositionCoverage,
): Verdict {
  const { amount0, amount1, liquidity } = event
  if (event.type === 'Burn' && positions === 'PARTIAL') session.completePosition(event, liquidity)
  const change =
    event.type === 'Mint' ? session.mint(event, liquidity) : session.burn(event, liquidity)
  if (change.amount0 === amount0 && change.amount1 === amount1) return EXACT
  return compareFields({ amount0, amount1 }, { ...change })
}

type OtherEvent = Exclude<ClmmEvent, SwapEvent | LiquidityEvent>

function replayOther(
  session: ClmmSession,
  event: OtherEvent,
  positions: PositionCoverage,
): Verdict {
  switch (event.type) {
    case 'Initialize':
      session.initialize(event.sqrtPriceX96)
      return compareFields({ tick: event.tick ?? null }, { tick: session.tick })
    case 'Collect': {
      if (positions === 'PARTIAL') return { status: 'REFUSED', reason: 'POSITIONS_INCOMPLETE' }
      const { amount0, amount1 } = event
      return compareFields(
        { amount0, amount1 },
        { ...session.collect(event, { amount0, amount1 }) },
      )
    }
    case 'Flash': {
      const { amount0, amount1, paid0, paid1 } = event
      session.flash({ amount0, amount1 }, { amount0: paid0, amount1: paid1 })
      return EXACT
    }
    case 'SetFeeProtocol':
      session.setProtocolShare(event.feeProtocol0, event.feeProtocol1)
      return EXACT
    case 'CollectProtocol': {
      const { amount0, amount1 } = event
      return compareFields(
        { amount0, amount1 },
        { ...session.collectProtocol({ amount0, amount1 }) },
      )
    }
    case 'IncreaseObservationCardinalityNext':
      session.increaseObservationCardinalityNext(event.observationCardinalityNext)
      return EXACT
    case 'FeeChange':
      session.setFee(event.feePips)
      return EXACT
  }
}

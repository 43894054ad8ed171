import { PoolRevertError } from '../amm/pool-revert.ts'
import { exchangeStable } from '../amm/stableswap/exchange.ts'
import {
  addStableLiquidity,
  invariantOf,
  removeStableImbalance,
  removeStableLiquidity,
  removeStableOneCoin,
  type StableLiquidityChange,
} from '../amm/stableswap/liquidity.ts'
import {
  type AmplificationRamp,
  amplificationOf,
  type StableState,
} from '../amm/stableswap/state.ts'
import type { MarketEvent, StableEvent, StableImbalanceEvent } from './events.ts'
import { compareFields, type Verdict } from './fidelity.ts'

type Event<Type extends StableEvent['type']> = Extract<StableEvent, { type: Type }>

/** A judgement, and the pool afterwards where the event determines it. */
interface Judged {
  readonly verdict: Verdict
  readonly state: StableState
}

/**
 * Replays the log of a StableSwap pool. A log contains payments but no balances, so every amount is
 * computed and compared exactly.
 *
 * Missing data is recovered if only one value reproduces the log: the liquidity burned by a
 * balanced withdrawal, and the coin of a single-coin withdrawal. After an event that differs or is
 * ambiguous, the pool's state is unknown. Every later event is refused, because no log contains the
 * balances.
 *
 * The admin's balances are tracked but not verified: their withdrawal leaves no event.
 */
export class StableReplay {
  #state: StableState
  #isLost = false

  constructor(start: StableState) {
    this.#state = start
  }

  apply(event: StableEvent): Verdict {
    if (this.#isLost) return { status: 'REFUSED', reason: 'STATE_BEFORE_UNKNOWN' }
    const { verdict, state } = judge(atTime(this.#state, event.timestamp), event)
    this.#state = state
    this.#isLost = verdict.status !== 'EXACT'
    return verdict
  }

  /** The pool after the last event that determined it. */
  final(): StableState {
    return this.#state
  }

  /** Whether an event left it open what the pool holds. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Names of the fields that the events do not determine. */
  undetermined(): readonly string[] {
    return this.#state.adminBalances.map((_, coin) => `admin_balances[${coin}]`)
  }
}

/**
 * A pool at a later block time, which can move its amplification; null leaves the time unchanged.
 */
export function atTime(state: StableState, timestamp: number | null): StableState {
  return timestamp === null ? state : { ...state, blockTimestamp: timestamp }
}

function judge(state: StableState, event: StableEvent): Judged {
  try {
    return judgeCall(state, event)
  } catch (error) {
    if (!(error instanceof PoolRevertError)) throw error
    const outcome = { field: 'outcome', recorded: 'success', computed: 'revert' }
    return { verdict: { status: 'DIFFERENT', mismatches: [outcome] }, state }
  }
}

function judgeCall(state: StableState, event: StableEvent): Judged {
  switch (event.type) {
    case 'TokenExchange':
      return judgeExchange(state, event)
    case 'TokenExchangeUnderlying':
      return { verdict: { status: 'REFUSED', reason: 'UNDERLYING_EXCHANGE' }, state }
    case 'AddLiquidity':
      return judgeImbalance(state, event, addStableLiquidity(state, event.tokenAmounts))
    case 'RemoveLiquidityImbalance':
      return judgeImbalance(state, event, removeStableImbalance(state, event.tokenAmounts))
    case 'RemoveLiquidity':
      return judgeBalanced(state, event)
    case 'RemoveLiquidityOne':
      return judgeOneCoin(state, event)
    case 'RampA':
      return judgeRamp(state, event.oldA, {
        initialA: event.oldA,
        futureA: event.newA,
        initialAt: event.initialTime,
        futureAt: event.futureTime,
      })
    case 'StopRampA':
      return judgeRamp(state, event.a, {
        initialA: event.a,
        futureA: event.a,
        initialAt: event.time,
        futureAt: event.time,
      })
    case 'NewFee':
      return { verdict: { status: 'EXACT' }, state: withTerms(state, event) }
  }
}

function judgeExchange(state: StableState, event: Event<'TokenExchange'>): Judged {
  const { soldId: from, boughtId: to, tokensSold, tokensBought } = event
  const exchange = exchangeStable(state, { from, to }, tokensSold)
  const verdict = compareFields({ tokensBought }, { tokensBought: exchange.amountOut })
  return settled(state, verdict, exchange.state)
}

/** The logged amounts are the call's input, so fees, invariant and supply must match. */
function judgeImbalance(
  state: StableState,
  event: StableImbalanceEvent,
  change: StableLiquidityChange,
): Judged {
  const { fees, tokenAmounts, invariant, tokenSupply } = event
  const isDeposit = event.type === 'AddLiquidity'
  const changed = state.balances.map((held, coin) => {
    const amount = tokenAmounts[coin] ?? 0n
    return isDeposit ? held + amount : held - amount
  })
  const counted = changed.map((held, coin) => held - (change.fees[coin] ?? 0n))
  const afterFees = invariantOf(state, counted)
  const verdict = compareFields(
    { ...named('fees', fees), invariant, tokenSupply },
    {
      ...named('fees', change.fees),
      // Which of the two a build logs is no matter of the pool's state; both are exact.
      invariant: invariant === afterFees ? afterFees : invariantOf(state, changed),
      tokenSupply: supplySaid(tokenSupply, state, change),
    },
  )
  return settled(state, verdict, change.state)
}

/**
 * The log contains the payments and the resulting supply, so the burned liquidity is the difference
 * in supply.
 */
function judgeBalanced(state: StableState, event: Event<'RemoveLiquidity'>): Judged {
  const missing = state.totalSupply - event.tokenSupply
  const recorded = named('tokenAmounts', event.tokenAmounts)
  const tries = [missing, ...(missing % 2n === 0n ? [missing / 2n] : [])].map((liquidity) => {
    const change = removeStableLiquidity(state, liquidity)
    return { change, verdict: compareFields(recorded, named('tokenAmounts', change.amounts)) }
  })
  // The full difference is always tried first.
  const found = tries.find(({ verdict }) => verdict.status === 'EXACT') ?? tries[0]!
  return settled(state, found.verdict, found.change.state)
}

/** If the log does not name the coin, every coin is tried; only a unique match is accepted. */
function judgeOneCoin(state: StableState, event: Event<'RemoveLiquidityOne'>): Judged {
  const { tokenId, tokenAmount, coinAmount, tokenSupply } = event
  const coins = tokenId === null ? state.balances.map((_, coin) => coin) : [tokenId]
  const tries = coins.flatMap((coin) => {
    const change = tryOneCoin(state, tokenAmount, coin)
    if (change === null) return []
    const computed = {
      // Coins outside of the pool were already rejected.
      coinAmount: change.amounts[coin]!,
      tokenSupply: tokenSupply === null ? 0n : supplySaid(tokenSupply, state, change),
    }
    return [{ change, verdict: compareFields({ coinAmount, tokenSupply }, computed) }]
  })
  const fitting = tries.filter(({ verdict }) => verdict.status === 'EXACT')
  if (fitting.length > 1) {
    return { verdict: { status: 'REFUSED', reason: 'COIN_AMBIGUOUS' }, state }
  }
  const found = fitting[0] ?? tries[0]
  if (found === undefined) throw new PoolRevertError({ reason: '' })
  return settled(state, found.verdict, found.change.state)
}

function tryOneCoin(
  state: StableState,
  liquidity: bigint,
  coin: number,
): StableLiquidityChange | null {
  try {
    return removeStableOneCoin(state, liquidity, coin)
  } catch (error) {
    if (error instanceof PoolRevertError) return null
    throw error
  }
}

/** The logged ramp, if it starts at the current amplification. */
function judgeRamp(state: StableState, recorded: bigint, ramp: AmplificationRamp): Judged {
  const verdict = compareFields(
    { amplification: recorded },
    { amplification: amplificationOf(state) },
  )
  return settled(state, verdict, { ...state, ramp })
}

function withTerms(state: StableState, event: Event<'NewFee'>): StableState {
  return {
    ...state,
    feeX10: event.feeX10 ?? state.feeX10,
    adminFeeX10: event.adminFeeX10 ?? state.adminFeeX10,
    offpegFeeMultiplierX10: event.offpegFeeMultiplierX10 ?? state.offpegFeeMultiplierX10,
  }
}

/**
 * Supply in the convention of a log: the supply after the change. Factory pools that update before
 * they log count the change twice.
 */
function supplySaid(
  recorded: bigint,
  before: StableState,
  { state: { totalSupply } }: StableLiquidityChange,
): bigint {
  const twice = 2n * totalSupply - before.totalSupply
  return recorded === twice ? twice : totalSupply
}

function settled(before: StableState, verdict: Verdict, after: StableState): Judged {
  return { verdict, state: verdict.status === 'EXACT' ? after : before }
}

function named(name: string, values: readonly bigint[]): Record<string, bigint> {
  return Object.fromEntries(values.map((value, coin) => [`${name}[${coin}]`, value]))
}

/** @throws TypeError for an event of a pool of Uniswap */
export function assertStable(event: MarketEvent): StableEvent {
  if (isStableEvent(event)) return event
  throw new TypeError(`a ${event.type} event of a Uniswap pool on a StableSwap pool`)
}

const STABLE_TYPES: ReadonlySet<string> = new Set<StableEvent['type']>([
  'TokenExchange',
  'TokenExchangeUnderlying',
  'AddLiquidity',
  'RemoveLiquidity',
  'RemoveLiquidityOne',
  'RemoveLiquidityImbalance',
  'RampA',
  'StopRampA',
  'NewFee',
])

/** Whether an event is of a StableSwap pool; its types are no other market's. */
export function isStableEvent(event: MarketEvent): event is StableEvent {
  return STABLE_TYPES.has(event.type)
}

import type { LoggedMarket, PoolMarket } from '../amm/market.ts'
import type { StableState } from '../amm/stableswap/state.ts'
import type { TickWindow } from '../amm/v3/tick-ledger.ts'
import type { PositionCoverage } from './clmm-replay.ts'
import { ClmmReplay } from './clmm-session-replay.ts'
import { CpmmReplay } from './cpmm-replay.ts'
import type { ClmmEvent, CpmmEvent, MarketEvent, PoolEvent } from './events.ts'
import { type Fidelity, FidelityTally, type Verdict } from './fidelity.ts'
import { FORK_SHARE_FIELDS, ForkShare } from './fork-share.ts'
import { ShareHistory } from './share-history.ts'
import { assertStable, isStableEvent, StableReplay } from './stable-replay.ts'
import { TickCoverage } from './tick-coverage.ts'

/**
 * A replay in progress. It takes events one by one; counts and market are available at any time.
 */
export interface Replay<State extends LoggedMarket = PoolMarket> {
  /** Applies the next event of the recording, in chain order. */
  apply(event: MarketEvent): Verdict
  fidelity(): Fidelity
  /** The market as a value. */
  final(): State
  /** Names of the fields of `final` that the recording did not determine. */
  undetermined(): readonly string[]
}

/** Properties of a start state that it does not contain itself. */
export interface ReplayOptions {
  /** Whether the state lists every position; default COMPLETE. PARTIAL completes them when burned. */
  readonly positions?: PositionCoverage
  /** Whether a pair's reserves are known at the start; default true. Otherwise its first Sync sets them. */
  readonly reservesKnown?: boolean
  /** Range of ticks in the state if a v3 pool's list is incomplete; default all. */
  readonly tickWindow?: TickWindow | null
}

/**
 * Begins to replay a recording on a market, which is not changed. Memory does not grow with the
 * number of events.
 *
 * @throws TypeError from `apply` for an event of another kind of market
 */
export function startReplay(s0: PoolMarket, options?: ReplayOptions): Replay
export function startReplay(s0: LoggedMarket, options?: ReplayOptions): Replay<LoggedMarket>
export function startReplay(s0: LoggedMarket, options: ReplayOptions = {}): Replay<LoggedMarket> {
  const tally = new FidelityTally()
  const judge = judgeOf(s0, options)
  return {
    apply(event) {
      const verdict = judge.apply(event)
      tally.add(event, verdict)
      return verdict
    },
    fidelity: () => tally.report(),
    final: judge.final,
    undetermined: judge.undetermined,
  }
}

/**
 * Replays a whole recording without changes and measures how much the engine reproduces. A
 * counterfactual on this market is only meaningful with this proof.
 *
 * @param s0 the market before the first event
 * @param ev events in chain order
 */
export function replayBaseline(
  s0: PoolMarket,
  ev: Iterable<PoolEvent>,
  options: ReplayOptions = {},
): { final: PoolMarket; fidelity: Fidelity } {
  const replay = startReplay(s0, options)
  for (const event of ev) replay.apply(event)
  return { final: replay.final(), fidelity: replay.fidelity() }
}

function judgeOf(s0: LoggedMarket, options: ReplayOptions) {
  switch (s0.kind) {
    case 'UNISWAP_V3':
      return judgeClmm(s0, options)
    case 'UNISWAP_V2':
      return judgeCpmm(s0, options.reservesKnown ?? true)
    case 'STABLESWAP':
      return judgeStable(s0)
  }
}

function judgeStable(s0: StableState) {
  const replay = new StableReplay(s0)
  return {
    apply: (event: MarketEvent) => replay.apply(assertStable(event)),
    final: (): LoggedMarket => replay.final(),
    undetermined: () => replay.undetermined(),
  }
}

function judgeClmm(
  s0: Extract<PoolMarket, { kind: 'UNISWAP_V3' }>,
  { positions = 'COMPLETE', tickWindow = null }: ReplayOptions,
) {
  const replay = new ClmmReplay(s0, positions)
  const coverage = new TickCoverage(s0, tickWindow)
  const share = new ForkShare()
  const history = new ShareHistory(s0)
  return {
    apply(event: MarketEvent): Verdict {
      const own = assertClmm(event)
      const verdict = share.judge(own) ?? coverage.judge(own, replay.apply(own))
      return own.type === 'SetFeeProtocol' ? history.judge(own, verdict) : verdict
    },
    final: (): PoolMarket => replay.final(),
    undetermined: (): readonly string[] => (share.isActive ? FORK_SHARE_FIELDS : []),
  }
}

function judgeCpmm(s0: Extract<PoolMarket, { kind: 'UNISWAP_V2' }>, reservesKnown: boolean) {
  const replay = new CpmmReplay(s0, reservesKnown)
  return {
    apply: (event: MarketEvent) => replay.apply(assertCpmm(event)),
    final: (): PoolMarket => replay.final(),
    undetermined: () => replay.undetermined(),
  }
}

function assertClmm(event: MarketEvent): ClmmEvent {
  if (isStableEvent(event))
    throw new TypeError(`a ${event.type} event of a StableSwap pool on a v3 pool`)
  if (event.type === 'Sync' || (event.type === 'Swap' && 'amount0In' in event)) {
    throw new TypeError(`a ${event.type} event of a v2 pair on a v3 pool`)
  }
  // A v2 Mint or Burn has no range; this is the only difference that the types expose.
  if ((event.type === 'Mint' || event.type === 'Burn') && !('tickLower' in event)) {
    throw new TypeError(`a ${event.type} event of a v2 pair on a v3 pool`)
  }
  return event as ClmmEvent
}

function assertCpmm(event: MarketEvent): CpmmEvent {
  const known =
    event.type === 'Sync' ||
    (event.type === 'Swap' && 'amount0In' in event) ||
    ((event.type === 'Mint' || event.type === 'Burn') && !('tickLower' in event))
  if (!known) throw new TypeError(`a ${event.type} event of another market on a v2 pair`)
  return event as CpmmEvent
}

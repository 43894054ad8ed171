import type { ErrorCode, FieldErrors } from '@liquidity-os/contract'
import type { PoolEvent } from '@liquidity-os/engine/replay'
import { parseExact } from '../../../../market/exact-json.ts'
import type { SimulatedMarket } from '../../../../market/inline-market.ts'
import type { ReferencePrices } from '../../../../market/prices/named-reference.ts'
import { eventsOf } from '../../../../market/sealed-events.ts'
import type { StrategyBehaviour } from '../../../plan/strategies/api.ts'
import type { StudySpec } from '../validate-spec.ts'
import { type PathStudy, pathStudyOf, StudyRefusal } from './path-study.ts'

/** Input of a path study, as plain data and bytes: it crosses a thread boundary. */
export interface PreparePathsTask {
  spec: StudySpec
  seed: Uint8Array
  strategies: Readonly<Record<string, StrategyBehaviour>>
  /** Sealed state and events of the venue; null for an inline market. */
  observed: {
    state: Uint8Array
    events: readonly Uint8Array[]
    window: { fromBlock: number; toBlock: number }
    /** External prices; null if only the pool price exists. */
    reference: ReferencePrices | null
  } | null
}

/**
 * A prepared study, or the reason for its rejection. Plain data, because error classes do not
 * survive the thread boundary.
 */
export type PreparedPaths =
  | { ok: true; study: PathStudy }
  | { ok: false; code: ErrorCode; fieldErrors: FieldErrors }

/** Prepares a study. Pure: equal tasks give equal studies on every machine. */
export default function preparePaths(task: PreparePathsTask): PreparedPaths {
  const { spec, seed, strategies, observed } = task
  try {
    return { ok: true, study: pathStudyOf(spec, seed, strategies, observed && opened(observed)) }
  } catch (error) {
    if (!(error instanceof StudyRefusal)) throw error
    return { ok: false, code: error.code, fieldErrors: error.fieldErrors }
  }
}

function opened({ state, events, window, reference }: NonNullable<PreparePathsTask['observed']>) {
  const market = parseExact(new TextDecoder().decode(state)) as SimulatedMarket
  return { market, window, reference, events: inside(events, window) }
}

function* inside(
  events: readonly Uint8Array[],
  { fromBlock, toBlock }: { fromBlock: number; toBlock: number },
) {
  for (const event of eventsOf(events)) {
    // A venue with events of another kind was rejected with the study.
    if (event.block >= fromBlock && event.block <= toBlock) yield event as PoolEvent
  }
}

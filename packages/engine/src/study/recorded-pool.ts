import { loadPool, type Pool, snapshotPool } from '../amm/v3/pool.ts'
import type { ClmmState } from '../amm/v3/state.ts'
import { type PositionCoverage, replayClmmEvent } from '../replay/clmm-replay.ts'
import type { ClmmEvent } from '../replay/events.ts'
import type { Verdict } from '../replay/fidelity.ts'

/** The recorded pool in its historical state, event by event. */
export interface RecordedPool {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  /** Applies the next event and reports whether the engine reproduces it. */
  apply(event: ClmmEvent): Verdict
  /** The pool as a value. */
  final(): ClmmState
}

/** The recorded pool on the readable engine. */
export class ReadablePool implements RecordedPool {
  readonly #pool: Pool
  readonly #positions: PositionCoverage

  /** @param state before the first event; not changed */
  constructor(state: ClmmState, positions: PositionCoverage) {
    this.#pool = loadPool(state)
    this.#positions = positions
  }

  get sqrtPriceX96(): bigint {
    return this.#pool.sqrtPriceX96
  }
  get tick(): number {
    return this.#pool.tick
  }
  get liquidity(): bigint {
    return this.#pool.liquidity
  }

  apply(event: ClmmEvent): Verdict {
    return replayClmmEvent(this.#pool, event, this.#positions)
  }

  final(): ClmmState {
    return snapshotPool(this.#pool)
  }
}

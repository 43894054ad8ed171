import type { ClmmState } from '../amm/v3/state.ts'
import { isWithin, type TickWindow } from '../amm/v3/tick-ledger.ts'
import { ln } from '../numerics/ln.ts'
import { TICKS_PER_LN } from '../strategy/lay-ranges.ts'
import type { ClmmEvent, LiquidityEvent } from './events.ts'
import type { Mismatch, Verdict } from './fidelity.ts'

/**
 * Whether a study stays within the ticks of its start state. Outside, the pool's liquidity can
 * differ from the state.
 */
export class WindowWatch {
  readonly #window: TickWindow | null
  /** How many ticks beyond the price the study measures depth. */
  readonly #margin: number
  #isLeft = false

  /** @param bandsPips of the depth that is measured */
  constructor(window: TickWindow | null, bandsPips: readonly number[]) {
    this.#window = window
    const widest = Math.max(0, ...bandsPips) / 1_000_000
    this.#margin = widest < 1 ? Math.ceil(-ln(1 - widest) * TICKS_PER_LN) : Number.POSITIVE_INFINITY
  }

  get isLeft(): boolean {
    return this.#isLeft
  }

  see(tick: number): void {
    if (this.#window === null || this.#isLeft) return
    const { lowest, highest } = this.#window
    this.#isLeft = tick - this.#margin < lowest || tick + this.#margin > highest
  }
}

/**
 * Tracks the liquidity at each tick, to distinguish a start state without some ticks from one
 * without some positions. Burns of unlisted positions are allowed, because few files list all
 * positions. But a position has two ticks. A burn at a tick with too little liquidity proves that
 * the start state is wrong.
 */
export class TickCoverage {
  readonly #gross: Map<number, bigint>
  readonly #window: TickWindow | null

  /** @param window range of the listed ticks, if the list is incomplete */
  constructor({ ticks }: ClmmState, window: TickWindow | null) {
    this.#gross = new Map(ticks.map(({ index, liquidityGross }) => [index, liquidityGross]))
    this.#window = window
  }

  /** The verdict on an event, based on the verdict of the event itself. */
  judge(event: ClmmEvent, verdict: Verdict): Verdict {
    if (event.type !== 'Mint' && event.type !== 'Burn') return verdict
    if (isRefusedByPool(verdict)) return verdict
    const missing = event.type === 'Mint' ? this.#add(event) : this.#take(event)
    if (missing.length === 0 || verdict.status !== 'EXACT') return verdict
    return { status: 'DIFFERENT', mismatches: missing }
  }

  #add({ tickLower, tickUpper, liquidity }: LiquidityEvent): readonly Mismatch[] {
    for (const index of [tickLower, tickUpper]) {
      this.#gross.set(index, (this.#gross.get(index) ?? 0n) + liquidity)
    }
    return []
  }

  #take({ tickLower, tickUpper, liquidity }: LiquidityEvent): readonly Mismatch[] {
    const missing: Mismatch[] = []
    for (const index of [tickLower, tickUpper]) {
      const held = this.#gross.get(index) ?? 0n
      this.#gross.set(index, held < liquidity ? 0n : held - liquidity)
      if (held >= liquidity || !isWithin(index, this.#window)) continue
      missing.push({
        field: `ticks[${index}].liquidityGross`,
        recorded: `at least ${liquidity}`,
        computed: `${held}`,
      })
    }
    return missing
  }
}

function isRefusedByPool(verdict: Verdict): boolean {
  return verdict.status === 'DIFFERENT' && verdict.mismatches[0]?.field === 'outcome'
}

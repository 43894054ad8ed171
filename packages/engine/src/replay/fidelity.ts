import type { EventType, MarketEvent } from './events.ts'

/** Call type of a swap, as far as its log determines it. */
export type SwapMode = 'EXACT_INPUT' | 'EXACT_OUTPUT' | 'PRICE_LIMIT' | 'PRICE_LIMIT_WITH_INPUT'

/** One compared field. */
export interface Mismatch {
  readonly field: string
  readonly recorded: string
  readonly computed: string
}

/** The judgement on one event. */
export type Verdict =
  | { readonly status: 'EXACT'; readonly mode?: SwapMode }
  | { readonly status: 'DIFFERENT'; readonly mismatches: readonly Mismatch[] }
  | {
      /** The recording lacks data for the check; `reason` names it. */
      readonly status: 'REFUSED'
      readonly reason: string
    }

/** Counts of one kind of event. */
export interface KindCount {
  replayed: number
  exact: number
  refused: number
}

/** How much of a recording the engine reproduces to the bit. */
export interface Fidelity {
  readonly eventsReplayed: number
  readonly eventsExact: number
  readonly eventsRefused: number
  readonly byKind: Readonly<Partial<Record<EventType, Readonly<KindCount>>>>
  readonly modes: Readonly<Partial<Record<SwapMode, number>>>
  /** Why events were refused, with counts. */
  readonly refusals: Readonly<Record<string, number>>
  readonly firstDivergence: Divergence | null
}

/** The first event with a different result, by index from 0 in the recording. */
export interface Divergence {
  readonly index: number
  readonly event: MarketEvent
  readonly mismatches: readonly Mismatch[]
}

/** Collects verdicts; memory does not grow with the recording. */
export class FidelityTally {
  #replayed = 0
  #exact = 0
  #refused = 0
  readonly #byKind: Partial<Record<EventType, KindCount>> = {}
  readonly #modes: Partial<Record<SwapMode, number>> = {}
  readonly #refusals: Record<string, number> = {}
  #firstDivergence: Divergence | null = null

  /** Counts a verdict and stores the first divergence. */
  add(event: MarketEvent, verdict: Verdict): void {
    let count = this.#byKind[event.type]
    if (count === undefined) {
      count = { replayed: 0, exact: 0, refused: 0 }
      this.#byKind[event.type] = count
    }
    count.replayed += 1
    if (verdict.status === 'EXACT') {
      count.exact += 1
      this.#exact += 1
      if (verdict.mode !== undefined) {
        this.#modes[verdict.mode] = (this.#modes[verdict.mode] ?? 0) + 1
      }
    } else if (verdict.status === 'REFUSED') {
      count.refused += 1
      this.#refused += 1
      this.#refusals[verdict.reason] = (this.#refusals[verdict.reason] ?? 0) + 1
    } else if (this.#firstDivergence === null) {
      this.#firstDivergence = { index: this.#replayed, event, mismatches: verdict.mismatches }
    }
    this.#replayed += 1
  }

  /** The counts so far, as a value. */
  report(): Fidelity {
    const byKind: Partial<Record<EventType, KindCount>> = {}
    for (const [kind, count] of Object.entries(this.#byKind)) {
      byKind[kind as EventType] = { ...count }
    }
    return {
      eventsReplayed: this.#replayed,
      eventsExact: this.#exact,
      eventsRefused: this.#refused,
      byKind,
      modes: { ...this.#modes },
      refusals: { ...this.#refusals },
      firstDivergence: this.#firstDivergence,
    }
  }
}

/** Compares fields by name; a recorded null is not compared. */
export function compareFields(
  recorded: Readonly<Record<string, bigint | number | null>>,
  computed: Readonly<Record<string, bigint | number>>,
): Verdict {
  const mismatches: Mismatch[] = []
  for (const [field, value] of Object.entries(recorded)) {
    const other = computed[field]
    if (value !== null && other !== value) {
      mismatches.push({ field, recorded: `${value}`, computed: `${other}` })
    }
  }
  return mismatches.length === 0 ? { status: 'EXACT' } : { status: 'DIFFERENT', mismatches }
}

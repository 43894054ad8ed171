import type { JsonSafe } from '@liquidity-os/engine/amm'

/** Counts of one kind of thing a recording holds. */
export interface KindResult {
  total: number
  exact: number
  refused: number
  different: number
}

/** The first thing the engine computed differently. */
export interface FirstDifference extends Difference {
  /** An earlier exact event that could be the faulty one instead. */
  readonly ambiguousWith?: Difference
}

/** First difference between recorded and computed values. */
export interface Difference {
  /** The event, swap or quote, identified as in the recording. */
  readonly subject: string
  readonly file: string
  readonly line: number | null
  readonly fields: readonly { field: string; recorded: string; computed: string }[]
}

/** Result of one recording. Deterministic: it contains no time and no speed. */
export interface RecordingResult {
  readonly name: string
  readonly market: string
  /** Applied trading fee; null if the recording states no fee. */
  readonly fee: string | null
  /** By kind, in the order of printing. */
  readonly kinds: Readonly<Record<string, KindResult>>
  /** Number of swaps per call mode. */
  readonly modes: Readonly<Record<string, number>>
  /** Why things were refused, with counts. */
  readonly refusals: Readonly<Record<string, number>>
  readonly firstDifference: FirstDifference | null
  readonly endState: EndState | null
  readonly notes: readonly string[]
}

/** The market after the last event. */
export interface EndState {
  /** Content hash of the state as JSON, domain `replay-state/v1`. */
  readonly hash: string
  /** True if it equals the recorded end state; null if none was recorded. */
  readonly reached: boolean | null
  /** Number of compared fields of the recorded end state. */
  readonly compared: number
  readonly fields: readonly { field: string; recorded: string; computed: string }[]
}

export function isDifferent(result: RecordingResult): boolean {
  return (
    result.endState?.reached === false ||
    Object.values(result.kinds).some((kind) => kind.different > 0)
  )
}

/** EXACT, DIFFERENT, or REFUSED if the recording contains no verifiable part. */
export function statusOf(result: RecordingResult): 'EXACT' | 'DIFFERENT' | 'REFUSED' {
  if (isDifferent(result)) return 'DIFFERENT'
  const isChecked = Object.values(result.kinds).some((kind) => kind.exact > 0)
  return isChecked ? 'EXACT' : 'REFUSED'
}

/** A recording or folder that could not be replayed, and why. */
export type Unusable = Readonly<Record<'name' | 'message', string>>

/** The program-readable report over all recordings of one run. */
export function toReport(
  results: readonly RecordingResult[],
  unusable: readonly Unusable[],
  engineVersion: string,
): JsonSafe {
  const verdict = results.some(isDifferent) ? 'DIFFERENT' : 'EXACT'
  return {
    schemaVersion: 'replay-report-v1',
    engineVersion,
    status: unusable.length > 0 ? 'UNUSABLE' : verdict,
    recordings: results.map((result) => ({ status: statusOf(result), ...toMembers(result) })),
    unusable: [...unusable],
  }
}

/** Safe cast: a result contains only JSON values; an interface merely lacks an index signature. */
function toMembers(result: RecordingResult): Readonly<Record<string, JsonSafe>> {
  return result as unknown as Readonly<Record<string, JsonSafe>>
}

/** Collects counts for inputs that no engine replay counts. */
export class KindTally {
  readonly kinds: Record<string, KindResult> = {}
  readonly refusals: Record<string, number> = {}
  firstDifference: FirstDifference | null = null

  exact(kind: string): void {
    const counts = this.#count(kind)
    counts.exact += 1
  }

  refused(kind: string, reason: string): void {
    const counts = this.#count(kind)
    counts.refused += 1
    this.refusals[reason] = (this.refusals[reason] ?? 0) + 1
  }

  different(kind: string, difference: FirstDifference): void {
    const counts = this.#count(kind)
    counts.different += 1
    this.firstDifference ??= difference
  }

  #count(kind: string): KindResult {
    const counts = this.kinds[kind] ?? { total: 0, exact: 0, refused: 0, different: 0 }
    counts.total += 1
    this.kinds[kind] = counts
    return counts
  }
}

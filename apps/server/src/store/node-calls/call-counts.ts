/** Result of a call to a node. FAILED: no usable response. */
export type CallResult = 'ANSWERED' | 'REFUSED' | 'FAILED'

export interface CountedCall {
  readonly method: string
  readonly result: CallResult
}

/** Calls of some time. */
export interface CallCounts {
  answered: number
  refused: number
  failed: number
  /** Bytes of all responses. */
  bytes: number
  /** Calls by duration step, see `durationStep`. */
  durations: Record<string, number>
  methods: Record<string, { calls: number; refused: number }>
}

export const emptyCounts = (): CallCounts => ({
  answered: 0,
  refused: 0,
  failed: 0,
  bytes: 0,
  durations: {},
  methods: {},
})

const memberOf = { ANSWERED: 'answered', REFUSED: 'refused', FAILED: 'failed' } as const

/** Adds the calls of one HTTP request. */
export function countCalls(
  counts: CallCounts,
  calls: readonly CountedCall[],
  { milliseconds, bytes }: { milliseconds: number; bytes: number },
): void {
  counts.bytes += bytes
  const step = `${durationStep(milliseconds)}`
  counts.durations[step] = (counts.durations[step] ?? 0) + calls.length
  for (const { method, result } of calls) {
    counts[memberOf[result]] += 1
    const ofMethod = counts.methods[method] ?? { calls: 0, refused: 0 }
    ofMethod.calls += 1
    if (result === 'REFUSED') ofMethod.refused += 1
    counts.methods[method] = ofMethod
  }
}

export function addCounts(sum: CallCounts, more: CallCounts): void {
  for (const name of ['answered', 'refused', 'failed', 'bytes'] as const) sum[name] += more[name]
  for (const [step, calls] of Object.entries(more.durations)) {
    sum.durations[step] = (sum.durations[step] ?? 0) + calls
  }
  for (const [method, { calls, refused }] of Object.entries(more.methods)) {
    const before = sum.methods[method] ?? { calls: 0, refused: 0 }
    sum.methods[method] = { calls: before.calls + calls, refused: before.refused + refused }
  }
}

export const sumCalls = ({ answered, refused, failed }: CallCounts) => answered + refused + failed

/** Four steps per doubling: a step is at most 19 % longer than its durations. */
const stepsPerDoubling = 4

function durationStep(milliseconds: number): number {
  return Math.max(0, Math.ceil(stepsPerDoubling * Math.log2(Math.max(1, milliseconds))))
}

/**
 * Duration that a share of the calls does not exceed, in ms, rounded up by at most 19 %; null
 * without calls.
 *
 * @param share from 0 to 1
 */
export function durationQuantile({ durations }: CallCounts, share: number): number | null {
  const steps = Object.entries(durations)
    .map(([step, calls]) => [Number(step), calls] as const)
    .sort(([a], [b]) => a - b)
  const total = steps.reduce((sum, [, calls]) => sum + calls, 0)
  let below = 0
  for (const [step, calls] of steps) {
    below += calls
    if (below >= share * total) return Math.ceil(2 ** (step / stepsPerDoubling))
  }
  return null
}

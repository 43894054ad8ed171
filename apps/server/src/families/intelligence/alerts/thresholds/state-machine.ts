export const comparators = ['LT', 'LTE', 'GT', 'GTE'] as const
export type Comparator = (typeof comparators)[number]

/** Terms of a threshold that decide its states. */
export interface ThresholdTerms {
  readonly comparator: Comparator
  readonly value: bigint
  /** Time that the condition must hold before the threshold fires. */
  readonly forSeconds: number
  /** Time that the condition must be false before the firing ends. */
  readonly resolveSeconds: number
  /** Time between two samples. Each sample time is a multiple. */
  readonly stepSeconds: number
}

/** Samples with one value. Both ends are sample times, in Unix seconds. */
export interface Run {
  readonly from: number
  readonly to: number
  /** Null in a gap of the data. */
  readonly value: bigint | null
}

/** State after a sample. */
export interface ThresholdState {
  /** Time of the sample. */
  readonly at: number
  readonly value: bigint | null
  readonly phase: 'OK' | 'PENDING' | 'FIRING'
  /** First sample since the condition holds; null while FIRING. */
  readonly trueSince: number | null
  /** While FIRING: first sample since the condition is false. */
  readonly falseSince: number | null
  readonly firedAt: number | null
  /** Worst value since the condition holds: the smallest of LT and LTE, else the greatest. */
  readonly extreme: bigint | null
}

export interface Firing {
  readonly from: number
  /** Null while it lasts. */
  readonly to: number | null
  readonly extreme: bigint
}

/** State before the first sample. */
export const initialState = (at: number): ThresholdState => ({
  at,
  value: null,
  phase: 'OK',
  trueSince: null,
  falseSince: null,
  firedAt: null,
  extreme: null,
})

/**
 * Follows a threshold over samples. OK becomes PENDING with the first true sample and FIRING after
 * `forSeconds`. FIRING becomes OK after `resolveSeconds` of false samples. In a gap no state fires
 * or resolves, and both times start again. The division into runs does not change the result.
 *
 * @param runs after `before.at`, ascending and without overlap
 * @returns the last state, and the firings that lasted or began since `before`
 */
export function followThreshold(
  before: ThresholdState,
  runs: readonly Run[],
  terms: ThresholdTerms,
): { readonly state: ThresholdState; readonly firings: readonly Firing[] } {
  const firings: Firing[] = []
  let state = before
  for (const run of runs) {
    const next = followRun(state, run, terms)
    if (next.ended !== null) firings.push(next.ended)
    state = next.state
  }
  if (state.firedAt !== null && state.extreme !== null) {
    firings.push({ from: state.firedAt, to: null, extreme: state.extreme })
  }
  return { state, firings }
}

interface Followed {
  readonly state: ThresholdState
  readonly ended: Firing | null
}

function followRun(before: ThresholdState, run: Run, terms: ThresholdTerms): Followed {
  const { value, to: at } = run
  const seen = { ...before, at, value }
  if (value === null) {
    const phase = before.phase === 'FIRING' ? 'FIRING' : 'OK'
    const extreme = phase === 'FIRING' ? before.extreme : null
    return { state: { ...seen, phase, trueSince: null, falseSince: null, extreme }, ended: null }
  }
  const isTrue = holds(value, terms)
  if (before.phase === 'FIRING') {
    return isTrue ? stillFiring(seen, value, terms) : ending(seen, run, terms)
  }
  if (!isTrue)
    return { state: { ...seen, phase: 'OK', trueSince: null, extreme: null }, ended: null }
  const trueSince = before.trueSince ?? run.from
  const extreme = worse(before.extreme, value, terms)
  const firedAt = Math.max(run.from, sampleAfter(trueSince + terms.forSeconds, terms))
  return firedAt <= at
    ? { state: { ...seen, phase: 'FIRING', trueSince: null, firedAt, extreme }, ended: null }
    : { state: { ...seen, phase: 'PENDING', trueSince, extreme }, ended: null }
}

const stillFiring = (seen: ThresholdState, value: bigint, terms: ThresholdTerms): Followed => ({
  state: { ...seen, falseSince: null, extreme: worse(seen.extreme, value, terms) },
  ended: null,
})

function ending(seen: ThresholdState, run: Run, terms: ThresholdTerms): Followed {
  const falseSince = seen.falseSince ?? run.from
  const to = Math.max(run.from, sampleAfter(falseSince + terms.resolveSeconds, terms))
  if (to > run.to) return { state: { ...seen, falseSince }, ended: null }
  const { firedAt: from, extreme } = seen
  if (from === null || extreme === null) throw new Error('A firing has a start and a value.')
  return {
    state: { ...initialState(seen.at), value: seen.value },
    ended: { from, to, extreme },
  }
}

/** The first sample time at or after a time. */
const sampleAfter = (at: number, { stepSeconds }: ThresholdTerms) =>
  Math.ceil(at / stepSeconds) * stepSeconds

/** True if the condition of a threshold holds for a value. */
export function holds(
  value: bigint,
  { comparator, value: limit }: Pick<ThresholdTerms, 'comparator' | 'value'>,
): boolean {
  if (comparator === 'LT') return value < limit
  if (comparator === 'LTE') return value <= limit
  return comparator === 'GT' ? value > limit : value >= limit
}

function worse(before: bigint | null, value: bigint, { comparator }: ThresholdTerms): bigint {
  if (before === null) return value
  const isBelow = comparator === 'LT' || comparator === 'LTE'
  return isBelow === value < before ? value : before
}

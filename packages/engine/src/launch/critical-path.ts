/** A step of a plan. Times are unix seconds. */
export interface PlannedStep {
  readonly key: string
  /** When it is to begin. */
  readonly plannedAt: number
  readonly durationSeconds: number
  readonly dependsOn: readonly string[]
  /** When it was done; null while it is open. */
  readonly doneAt: number | null
  /** Whether it has its time, and cannot begin before it. */
  readonly isAppointment: boolean
}

export interface TimedStep {
  readonly key: string
  readonly earliestStart: number
  readonly earliestFinish: number
  readonly latestFinish: number
  /** By how much it may finish later without moving an appointment or the end; below zero never. */
  readonly slackSeconds: number
}

/** Steps with a circular dependency, or a dependency on an unknown step. */
export class TimelineError extends Error {
  readonly kind: 'CYCLE' | 'UNKNOWN'
  readonly keys: readonly string[]

  constructor(kind: 'CYCLE' | 'UNKNOWN', keys: readonly string[]) {
    super(`${kind === 'CYCLE' ? 'a cycle of steps' : 'an unknown step'}: ${keys.join(' → ')}`)
    this.kind = kind
    this.keys = keys
  }
}

/**
 * Times of a dependency graph by the critical path method, with appointments.
 *
 *     ES = max(now, EF of its dependencies, planned time of an appointment),   EF = ES + duration
 *     LF = min(LS of its dependents); without dependents the later of its planned finish and EF
 *     LS = LF − duration;  for an appointment the later of its planned time and ES
 *     slack = LF − EF, the possible delay that moves neither an appointment nor the end
 *
 * A finished step has its actual time as both times. Work starts as early as possible, regardless
 * of its plan. Appointments retain their time unless dependencies delay them. Linear in steps and
 * dependencies.
 *
 * @param now unix seconds
 * @returns the steps in dependency order; ties in the given order
 * @throws TimelineError for a cycle or an unknown step
 * @see Kelley and Walker, “Critical-Path Planning and Scheduling” (1959)
 */
export function timedSteps(steps: readonly PlannedStep[], now: number): TimedStep[] {
  const ordered = inDependencyOrder(steps)
  const early = new Map<string, { start: number; finish: number }>()
  for (const { key, plannedAt, durationSeconds, dependsOn, doneAt, isAppointment } of ordered) {
    const before = dependsOn.map((one) => early.get(one)!.finish)
    const start = doneAt ?? Math.max(now, ...before, ...(isAppointment ? [plannedAt] : []))
    early.set(key, { start, finish: doneAt ?? start + durationSeconds })
  }
  const late = new Map<string, number>()
  for (const step of ordered.toReversed()) {
    const { key, plannedAt, durationSeconds, dependsOn, doneAt, isAppointment } = step
    const { start, finish } = early.get(key)!
    const end = late.get(key) ?? Math.max(plannedAt + durationSeconds, finish)
    late.set(key, end)
    const latestStart =
      doneAt ?? (isAppointment ? Math.max(plannedAt, start) : end - durationSeconds)
    for (const one of dependsOn) late.set(one, Math.min(late.get(one) ?? latestStart, latestStart))
  }
  return ordered.map(({ key }) => {
    const { start, finish } = early.get(key)!
    // Steps finished out of order have no negative slack.
    const latestFinish = Math.max(late.get(key)!, finish)
    return {
      key,
      earliestStart: start,
      earliestFinish: finish,
      latestFinish,
      slackSeconds: latestFinish - finish,
    }
  })
}

/**
 * The open chain that determines a step's start: at each link, the dependency that finishes last.
 *
 * @param end key of a step
 * @returns keys of open steps, first to last; empty if the step is done
 */
export function criticalChain(
  steps: readonly PlannedStep[],
  timed: readonly TimedStep[],
  end: string,
): string[] {
  const byKey = new Map(steps.map((step) => [step.key, step]))
  const finish = new Map(timed.map(({ key, earliestFinish }) => [key, earliestFinish]))
  const chain: string[] = []
  let at = byKey.get(end)
  while (at && at.doneAt === null) {
    chain.push(at.key)
    const open = at.dependsOn.map((key) => byKey.get(key)!).filter(({ doneAt }) => doneAt === null)
    at = open.reduce<PlannedStep | undefined>(
      (last, one) =>
        last === undefined || finish.get(one.key)! > finish.get(last.key)! ? one : last,
      undefined,
    )
  }
  return chain.toReversed()
}

/** Sorts steps after their dependencies. @throws TimelineError */
function inDependencyOrder(steps: readonly PlannedStep[]): PlannedStep[] {
  const byKey = new Map(steps.map((step) => [step.key, step]))
  const waiting = new Map<string, number>()
  const followers = new Map<string, string[]>()
  for (const { key, dependsOn } of steps) {
    waiting.set(key, dependsOn.length)
    for (const one of dependsOn) {
      if (!byKey.has(one)) throw new TimelineError('UNKNOWN', [key, one])
      followers.set(one, [...(followers.get(one) ?? []), key])
    }
  }
  const ready = steps.filter(({ dependsOn }) => dependsOn.length === 0).map(({ key }) => key)
  const ordered: PlannedStep[] = []
  for (let place = 0; place < ready.length; place += 1) {
    const key = ready[place]!
    ordered.push(byKey.get(key)!)
    for (const follower of followers.get(key) ?? []) {
      const left = waiting.get(follower)! - 1
      waiting.set(follower, left)
      if (left === 0) ready.push(follower)
    }
  }
  if (ordered.length < steps.length) throw new TimelineError('CYCLE', ringIn(steps, byKey, ordered))
  return ordered
}

/** One ring among the steps that could not be ordered. */
function ringIn(
  steps: readonly PlannedStep[],
  byKey: ReadonlyMap<string, PlannedStep>,
  ordered: readonly PlannedStep[],
): string[] {
  const done = new Set(ordered.map(({ key }) => key))
  const walk: string[] = []
  let key = steps.find((step) => !done.has(step.key))!.key
  while (!walk.includes(key)) {
    walk.push(key)
    key = byKey.get(key)!.dependsOn.find((one) => !done.has(one))!
  }
  return [...walk.slice(walk.indexOf(key)), key]
}

import type { contract } from '@liquidity-os/contract'
import { criticalChain, type TimedStep, timedSteps } from '@liquidity-os/engine/launch'
import type { Step, Timeline } from './fold-timeline.ts'

type Document = contract.LaunchTimeline
type Gates = ReadonlyMap<string, contract.GateResult>

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const secondsOf = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** The steps in the form of the engine. */
export const plannedSteps = (steps: readonly Step[]) =>
  steps.map(({ key, kind, startsAt, durationSeconds, dependsOn, doneAt }) => ({
    key,
    durationSeconds,
    dependsOn,
    plannedAt: secondsOf(startsAt),
    isAppointment: kind === 'MILESTONE' || kind === 'WINDOW',
    doneAt: doneAt === null ? null : secondsOf(doneAt),
  }))

/** The timeline as one document. Pure: times and gates are arguments. */
export function timelineDocument(
  { id, launchAt }: { id: string; launchAt: string },
  { steps, head }: Timeline,
  gates: Gates,
  now: number,
): Document {
  const planned = plannedSteps(steps)
  const timed = timedSteps(planned, secondsOf(now))
  const byKey = new Map(steps.map((step) => [step.key, step]))
  const launch = secondsOf(Date.parse(launchAt))
  const forecast = forecastOf(timed, byKey, launch)
  const end = endOf(steps, launch)
  const chain = end === undefined ? [] : criticalChain(planned, timed, end.key)
  return {
    launchPlanId: id,
    head,
    launchAt,
    forecastLaunchAt: iso(forecast),
    phase: phaseOf(steps, { launch, forecast, now: secondsOf(now) }),
    events: timed.map((times) =>
      serializeStep(byKey.get(times.key)!, times, byKey, gates, { launch, now, chain }),
    ),
    criticalPath: chain,
    evaluatedAt: new Date(now).toISOString(),
  }
}

/**
 * Earliest launch time. It is not before the start of steps planned at launch, nor before the end
 * of steps planned to finish earlier.
 */
function forecastOf(
  timed: readonly TimedStep[],
  byKey: ReadonlyMap<string, Step>,
  launch: number,
): number {
  return timed.reduce((latest, { key, earliestStart, earliestFinish }) => {
    const { startsAt, durationSeconds, doneAt } = byKey.get(key)!
    const planned = secondsOf(startsAt)
    if (doneAt !== null || planned > launch) return latest
    const isOverByThen = planned + durationSeconds <= launch && planned < launch
    return Math.max(latest, isOverByThen ? earliestFinish : earliestStart)
  }, launch)
}

/**
 * The end of the critical path: the first open step at or after the launch, otherwise the last
 * step.
 */
function endOf(steps: readonly Step[], launch: number): Step | undefined {
  const open = steps
    .filter(({ doneAt }) => doneAt === null)
    .toSorted((a, b) => a.startsAt - b.startsAt)
  return open.find(({ startsAt }) => secondsOf(startsAt) >= launch) ?? open.at(-1)
}

function phaseOf(
  steps: readonly Step[],
  { launch, forecast, now }: { launch: number; forecast: number; now: number },
): Document['phase'] {
  if (steps.length === 0) return 'PREPARING'
  const open = steps.filter(({ doneAt }) => doneAt === null)
  if (open.length === 0) return 'DONE'
  // Steps due before the launch must be done; a step at the launch time is the launch itself.
  const isReady = open.every(({ startsAt }) => secondsOf(startsAt) >= launch)
  if (isReady) return now >= launch ? 'LIVE' : 'READY'
  return forecast > launch ? 'SLIPPED' : 'PREPARING'
}

function serializeStep(
  step: Step,
  { key, earliestStart, latestFinish, slackSeconds }: TimedStep,
  byKey: ReadonlyMap<string, Step>,
  gates: Gates,
  { launch, now, chain }: { launch: number; now: number; chain: readonly string[] },
): Document['events'][number] {
  const { startsAt, doneAt, evidence, amendments, offsetSeconds: _, ...rest } = step
  const blockedBy = step.dependsOn.filter((key) => byKey.get(key)?.doneAt == null)
  const gateResult = gates.get(step.key) ?? null
  const isShut = step.gate !== undefined && gateResult?.result !== 'SATISFIED'
  const isLate = now > startsAt + step.durationSeconds * 1000
  const state =
    doneAt !== null
      ? 'DONE'
      : isLate
        ? 'LATE'
        : blockedBy.length > 0 || isShut
          ? 'BLOCKED'
          : 'READY'
  return {
    ...rest,
    offsetSeconds: secondsOf(startsAt) - launch,
    plannedAt: new Date(startsAt).toISOString(),
    amendments: [...amendments],
    state,
    evidence: [...evidence],
    doneAt: doneAt === null ? null : new Date(doneAt).toISOString(),
    earliestStart: iso(earliestStart),
    latestFinish: iso(latestFinish),
    slackSeconds,
    critical: chain.includes(key),
    blockedBy: doneAt === null ? blockedBy : [],
    gateResult,
  }
}

import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'

type StepInput = contract.TimelineStepInput
type Evidence = contract.LaunchEvidence

export const appendedKind = 'launch.timeline.appended'
export const completedKind = 'launch.timeline.completed'
export const slippedKind = 'launch.timeline.slipped'
export const seededKind = 'launch.workspace.seeded'

/** Current state of a step, with its earlier planned times. */
export interface Step extends StepInput {
  readonly eventId: string
  /** Milliseconds since 1970. */
  readonly startsAt: number
  readonly amendments: readonly { readonly plannedAt: string; readonly amendedAt: string }[]
  /** Milliseconds since 1970; null while it is open. */
  readonly doneAt: number | null
  readonly evidence: readonly Evidence[]
}

/** Timeline of a plan: its steps, and the hash of the last event that changed them. */
export interface Timeline {
  readonly steps: readonly Step[]
  readonly head: OperatingSystemEvent['evidenceHash']
}

/** The id of a step, the same for the same key of a plan. */
export const stepIdOf = (planId: string, key: string) =>
  `launch_step_${H('inputs/v1', { planId, key }).slice(2, 34)}`

/** Reads the timeline of a plan from its events. */
export async function timelineOf(
  records: TenantRecords,
  planId: string,
  launchAt: string,
): Promise<Timeline> {
  return foldTimeline(await records.events(planId), planId, launchAt)
}

/**
 * Builds the timeline from a plan's events. The head is the newest event by a user. A slip notice
 * does not change the head, because it changes no reviewed content.
 */
export function foldTimeline(
  events: readonly OperatingSystemEvent[],
  planId: string,
  launchAt: string,
): Timeline {
  const steps = new Map<string, Step>()
  for (const event of events) {
    if (event.kind === appendedKind) {
      // The operations of the launch module, the only writers, guarantee the types.
      for (const input of event.payload.steps as StepInput[]) {
        steps.set(input.key, appended(input, steps.get(input.key), event, { planId, launchAt }))
      }
    }
    if (event.kind === completedKind) {
      const { key, evidence } = event.payload as { key: string; evidence: Evidence[] }
      const step = steps.get(key)
      if (step) steps.set(key, { ...step, evidence, doneAt: Date.parse(event.occurredAt) })
    }
  }
  const head = events.findLast(({ kind }) => kind !== slippedKind)?.evidenceHash
  if (head === undefined) throw new Error(`The plan ${planId} has no event.`)
  return { steps: [...steps.values()], head }
}

function appended(
  input: StepInput,
  before: Step | undefined,
  { occurredAt }: OperatingSystemEvent,
  { planId, launchAt }: { planId: string; launchAt: string },
): Step {
  const startsAt = startOf(input, launchAt)
  const amendments = before
    ? [
        ...before.amendments,
        { plannedAt: new Date(before.startsAt).toISOString(), amendedAt: occurredAt },
      ]
    : []
  return {
    ...input,
    eventId: stepIdOf(planId, input.key),
    startsAt,
    amendments: amendments.slice(-64),
    doneAt: null,
    evidence: [],
  }
}

/** Start of a step, milliseconds since 1970. */
export const startOf = (
  { offsetSeconds = 0, plannedAt }: Pick<StepInput, 'offsetSeconds' | 'plannedAt'>,
  launchAt: string,
) => (plannedAt === undefined ? Date.parse(launchAt) + offsetSeconds * 1000 : Date.parse(plannedAt))

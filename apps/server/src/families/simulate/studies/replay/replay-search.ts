import type { ClmmState } from '@liquidity-os/engine/amm'
import { type ClmmEvent, startReplay } from '@liquidity-os/engine/replay'
import { searchReplay } from '@liquidity-os/engine/search'
import type { ReplayStudy } from '@liquidity-os/engine/study'

/** Which parameters of which arm are tried with which values, and how much of the time may see it. */
export interface SearchTerms {
  armId: string
  grid: readonly { path: string; values: readonly string[] }[]
  splitPips: number
}

/** What was tried and chosen, as JSON; or that the window could not be divided. */
export type ReplaySearchOutcome =
  | { isRefused: true; reason: string }
  | {
      isRefused: false
      armId: string
      trials: number
      leftOut: number
      splitAt: number
      scores: { choice: Readonly<Record<string, string>>; netVsHold: string }[]
      chosen: Readonly<Record<string, string>>
      overfitting: { trials: number; splits: number; pboPips: number } | null
      /** Whether the unchanged replay of the first part was exact in every event. */
      isExact: boolean
    }

/** A study whose events are all there. */
type WholeStudy = Omit<ReplayStudy, 'events'> & { readonly events: readonly ClmmEvent[] }

/**
 * Chooses the parameters of one arm on the first part of a window, and lays out the study that judges every
 * arm on the rest only, begun anew with the same capital.
 *
 * @returns no study to judge where one of the parts is empty
 */
export function searchArm(
  whole: WholeStudy,
  { armId, grid, splitPips }: SearchTerms,
): { judged: WholeStudy | null; outcome: ReplaySearchOutcome } {
  const searched = whole.arms.find((arm) => arm.armId === armId)
  if (searched?.kind !== 'STRATEGY') throw new Error(`The arm ${armId} has no strategy.`)
  const { arms, events, start, measures: _, ...terms } = whole
  try {
    const found = searchReplay({
      study: {
        ...terms,
        start,
        events,
        benchmarks: false,
        bandsPips: [],
        flowModels: models(whole),
      },
      definition: searched.definition,
      grid,
      splitPips,
    })
    const place = events.findIndex(({ timestamp }) => (timestamp ?? 0) >= found.splitAt)
    const first = replayed(start, events.slice(0, place), whole)
    return {
      judged: {
        ...whole,
        start: first.end,
        events: events.slice(place),
        arms: arms.map((arm) =>
          arm.armId === armId
            ? { armId, kind: 'STRATEGY', definition: found.chosen.definition }
            : arm,
        ),
      },
      outcome: {
        isRefused: false,
        armId,
        trials: found.trials,
        leftOut: found.leftOut,
        splitAt: found.splitAt,
        scores: found.scores.map(({ choice, netVsHold }) => ({
          choice,
          netVsHold: `${netVsHold}`,
        })),
        chosen: found.chosen.choice,
        overfitting: found.overfitting && {
          trials: found.overfitting.trials,
          splits: found.overfitting.splits,
          pboPips: Math.round(found.overfitting.probability * 1_000_000),
        },
        isExact: first.isExact,
      },
    }
  } catch (error) {
    // The engine says so of a window that leaves one of its parts empty.
    if (!(error instanceof RangeError)) throw error
    return { judged: null, outcome: { isRefused: true, reason: error.message } }
  }
}

/** The first of the models chooses; the others only judge. */
const models = ({ flowModels = ['INELASTIC_INPUT'] }: WholeStudy) => flowModels.slice(0, 1)

function replayed(
  start: ClmmState,
  events: readonly ClmmEvent[],
  { positions = 'COMPLETE' }: WholeStudy,
): { end: ClmmState; isExact: boolean } {
  const replay = startReplay(start, { positions })
  for (const event of events) replay.apply(event)
  const { eventsReplayed, eventsExact } = replay.fidelity()
  return { end: replay.final() as ClmmState, isExact: eventsReplayed === eventsExact }
}

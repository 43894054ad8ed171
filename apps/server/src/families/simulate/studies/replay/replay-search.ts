import type { ClmmState } from '@liquidity-os/engine/amm'
import { type ClmmEvent, startReplay } from '@liquidity-os/engine/replay'
import { searchReplay } from '@liquidity-os/engine/search'
import type { ReplayStudy } from '@liquidity-os/engine/study'

/** Arm, parameters and values of a search, and the share of time for selection. */
export interface SearchTerms {
  armId: string
  grid: readonly { path: string; values: readonly string[] }[]
  splitPips: number
}

/** Trials and choice as JSON, or the reason why the window cannot be divided. */
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
      /** True if the unchanged replay of the first part was exact in every event. */
      isExact: boolean
    }

/** A study with complete events. */
type WholeStudy = Omit<ReplayStudy, 'events'> & { readonly events: readonly ClmmEvent[] }

/**
 * Chooses the parameters of one arm on the first part of a window. Then prepares the study that
 * evaluates every arm on the rest only, restarted with the same capital.
 *
 * @returns no study if one of the parts is empty
 */
export function searchArm(
  whole: WholeStudy,
  { armId, grid, splitPips }: SearchTerms,
): { evaluated: WholeStudy | null; outcome: ReplaySearchOutcome } {
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
    const index = events.findIndex(({ timestamp }) => (timestamp ?? 0) >= found.splitAt)
    const first = replayed(start, events.slice(0, index), whole)
    return {
      evaluated: {
        ...whole,
        start: first.end,
        events: events.slice(index),
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
    // The engine reports a window with an empty part.
    if (!(error instanceof RangeError)) throw error
    return { evaluated: null, outcome: { isRefused: true, reason: error.message } }
  }
}

/** The first model selects; the others only evaluate. */
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

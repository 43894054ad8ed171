import type { ArmOutcome } from './run-path.ts'

/**
 * The main metrics of a path, with interim means during a study: amounts in quote atoms, and shares
 * in [0, 1].
 */
const readings = {
  netVsHold: ({ netVsHold }: ArmOutcome) => Number(netVsHold),
  net: ({ net }: ArmOutcome) => Number(net),
  fees: ({ holder }: ArmOutcome) => Number(holder.fees),
  divergenceLoss: ({ holder }: ArmOutcome) => Number(holder.divergenceLoss),
  lvr: ({ maker }: ArmOutcome) => Number(maker.lvr),
  timeInRange: ({ samples }: ArmOutcome) => samples.inRangeSamples / samples.samples,
  failed: ({ samples }: ArmOutcome) => Number(samples.failedAt.some((time) => time !== null)),
} satisfies Record<string, (outcome: ArmOutcome) => number>

export type PathFigure = keyof typeof readings
export const pathFigures = Object.keys(readings) as readonly PathFigure[]

/** Main metrics of one arm, each in path order. */
export interface ArmFigures {
  readonly armId: string
  readonly values: Readonly<Record<PathFigure, Float64Array>>
}

export function figuresByArm(outcomes: readonly (readonly ArmOutcome[])[]): ArmFigures[] {
  const first = outcomes[0] ?? []
  return first.map(({ armId }, place) => {
    const valuesOf = (figure: PathFigure) =>
      // Every path has the same arms in the same order.
      Float64Array.from(outcomes, (arms) => readings[figure](arms[place]!))
    const entries = pathFigures.map((figure) => [figure, valuesOf(figure)] as const)
    return { armId, values: Object.fromEntries(entries) as ArmFigures['values'] }
  })
}

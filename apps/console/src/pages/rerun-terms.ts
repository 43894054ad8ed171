import { firstRanges, labelOfRange, type Range } from './workbench-terms.ts'

/** The part of a specification that a rerun reads; the rest is sent unchanged. */
export interface RerunSpec {
  kind: string
  market: { inline?: { kind: string } }
  arms: readonly RerunArm[]
}
export interface RerunArm {
  armId: string
  label: string
  /** Only for candidates that are not strategies. */
  position?: { kind: string; lowerPips?: number; upperPips?: number }
}

/** Values that reproduce the paths of a study: its seed and step length. */
export interface Drawn {
  seed: string
  stepSeconds: number
}

/** Candidates with an adjustable range: positions in a market with ranges. */
export function movableArms({ market, arms }: RerunSpec): readonly RerunArm[] {
  const knowsRanges = market.inline === undefined || market.inline.kind === 'UNISWAP_V3'
  return knowsRanges ? arms.filter(({ position }) => position !== undefined) : []
}

/** The initial range of the handles: that of the candidate, or a default one. */
export function rangeOf({ position }: RerunArm): Range {
  const { lowerPips, upperPips } = position ?? {}
  const [usual = { lowerPips: 200_000, upperPips: 250_000 }] = firstRanges
  return lowerPips === undefined || upperPips === undefined ? usual : { lowerPips, upperPips }
}

/**
 * The same specification with another range for one arm, on the same paths.
 *
 * @param drawn null for a replay, which has no random paths
 */
export function rerunRequest<Spec extends RerunSpec>(
  spec: Spec,
  armId: string,
  range: Range,
  drawn: Drawn | null,
) {
  const arms = spec.arms.map((arm) =>
    arm.armId === armId
      ? { armId, label: labelOfRange(range), position: { kind: 'RANGE', ...range } }
      : arm,
  )
  return { ...spec, arms, ...drawn }
}

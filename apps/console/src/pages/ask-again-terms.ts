import { firstRanges, labelOfRange, type Range } from './workbench-terms.ts'

/** What of a specification is read to ask again; all else is sent as it was. */
export interface AskedSpec {
  kind: string
  market: { inline?: { kind: string } }
  arms: readonly AskedArm[]
}
export interface AskedArm {
  armId: string
  label: string
  /** Of an arm that is no strategy. */
  position?: { kind: string; lowerPips?: number; upperPips?: number }
}

/** What a study has told that keeps its paths as they are: what it drew them from, and the length of their steps. */
export interface Drawn {
  seed: string
  stepSeconds: number
}

/** Arms whose range can be moved: positions, in a market that knows ranges. */
export function movableArms({ market, arms }: AskedSpec): readonly AskedArm[] {
  const knowsRanges = market.inline === undefined || market.inline.kind === 'UNISWAP_V3'
  return knowsRanges ? arms.filter(({ position }) => position !== undefined) : []
}

/** The range that handles begin with: that of the arm, or a usual one. */
export function rangeOf({ position }: AskedArm): Range {
  const { lowerPips, upperPips } = position ?? {}
  const [usual = { lowerPips: 200_000, upperPips: 250_000 }] = firstRanges
  return lowerPips === undefined || upperPips === undefined ? usual : { lowerPips, upperPips }
}

/**
 * The same question with another range for one arm, on the same paths.
 *
 * @param drawn null of a replay, which draws nothing
 */
export function askedAgain<Spec extends AskedSpec>(
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

import type { DetectorSpec } from './detectors.ts'
import { type Baseline, measureBaseline } from './median-deviation.ts'
import { CUTS, floorOf } from './robust-mad.ts'

/**
 * The smallest effect, in pips, that is a WARNING at a given baseline. It is the kind's minimum, or
 * larger if the usual spread requires it, because z must also be 5.
 *
 *     distance = ⌈5·scale⌉,   effect = median + distance, or distance/median for falls and rises, rounded down
 *
 * @returns null if a fall or rise has no reference level
 * @see `robustMad`
 */
export function leastWarning(
  spec: DetectorSpec,
  { median, scale4 }: Pick<Baseline, 'median' | 'scale4'>,
): bigint | null {
  const { z, level } = warning
  const distance = (BigInt(z) * scale4 + 9_999_999n) / 10_000_000n
  const ofKind = spec.effects[level]!
  if (spec.effect !== 'VALUE' && median <= 0n) return null
  const ofSpread = spec.effect === 'VALUE' ? median + distance : (distance * 1_000_000n) / median
  return ofSpread > ofKind ? ofSpread : ofKind
}

/** The same of samples that are a baseline, in the unit of the feature. @throws RangeError of none */
export function leastWarningAmong(spec: DetectorSpec, samples: readonly bigint[]): bigint | null {
  return leastWarning(spec, measureBaseline(samples, floorOf(spec, samples)))
}

const level = CUTS.findIndex(({ severity }) => severity === 'WARNING')
const warning = { level, z: CUTS[level]!.z }

import type { DetectorSpec } from './detectors.ts'
import { type Baseline, measureBaseline } from './median-deviation.ts'
import { CUTS, floorOf } from './robust-mad.ts'

/**
 * The least effect, in pips, that is a WARNING beside a baseline: that of the kind, or further out where the usual spread
 * reaches that far, since z must be 5 as well.
 *
 *     distance = ⌈5·scale⌉,   effect = median + distance, or distance/median for falls and rises, rounded down
 *
 * @returns null where a fall or rise has no level to be measured against
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

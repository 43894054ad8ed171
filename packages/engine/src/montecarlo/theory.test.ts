// @module-tag long

import { expect, test } from 'vitest'
import { lossRatio } from '../../test/loss-ratio.ts'
import { newPair, newPool } from '../../test/monte-carlo-market.ts'
import { measureStep, stepRow } from '../../test/step-truth.ts'

test('without a fee the whole curve loses σ²/8 of its worth, in v3 and in v2', () => {
  const inPool = lossRatio(newPool({ feePips: 0 }), 0.003, 'CONSTANT', 24).lvr
  expect(Math.abs(inPool - 1)).toBeLessThan(0.01)
  const ratio = lossRatio(newPair({ feeThousandths: 0n }), 0.003, 'CONSTANT', 24).lvr
  expect(Math.abs(ratio - 1)).toBeLessThan(0.01)
})

test('with a fee and constant steps a share 1/(1 + 1.7164·γ/σ) of it is left', () => {
  const pool = newPool({ feePips: 3000 })
  // The last is a fee of 0.3 % at 80 % a year and twelve seconds.
  for (const multiple of [1, 3, 6.0792]) {
    const { withFees } = lossRatio(pool, 0.003 / multiple, 'CONSTANT', 16)
    expect(Math.abs(withFees - 1 / (1 + 1.7164 * multiple))).toBeLessThan(0.01)
  }
})

test('with exponential waiting times a share 1/(1 + √2·γ/σ) of it is left', () => {
  const { withFees } = lossRatio(newPool({ feePips: 3000 }), 0.003, 'EXPONENTIAL', 24)
  expect(Math.abs(withFees - 1 / (1 + Math.SQRT2))).toBeLessThan(0.01)
})

test('shorter steps mean a smaller loss, by as much as the formula says', () => {
  const [block, minute, coarse] = [12, 60, 300].map((seconds) => measureStep(3000, seconds, 8))
  expect(block!.simulated).toBeLessThan(minute!.simulated)
  expect(minute!.simulated).toBeLessThan(coarse!.simulated)
  for (const { simulated, formula } of [block!, minute!, coarse!]) {
    expect(Math.abs(simulated / formula - 1)).toBeLessThan(0.05)
  }
  expect(stepRow(coarse!, block!)).toMatch(
    /^\| 0\.3 % \| 300 s \| 32\.40 % \| 3[12]\.\d\d % ± \d\.\d\d % \| 3\.\d\d × \|$/,
  )
})

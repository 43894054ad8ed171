import { minuteSeconds } from '../../../units.ts'

export const studyDefaults = {
  bandsPips: [10_000, 20_000, 50_000],
  stepSeconds: 5 * minuteSeconds,
  sampleSeconds: 5 * minuteSeconds,
  /** Delay between a decision of a candidate and its action. */
  latencySeconds: minuteSeconds,
  /** Around a target share of base. */
  tolerancePips: 10_000,
}

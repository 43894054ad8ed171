import { beforeAll, describe, expect, it } from 'vitest'
import { type RecordedDay, recordedDay } from '../../../testing/recorded-day.ts'
import { hourSeconds } from '../../../units.ts'
import detect, { type DetectorResult } from './detect-task.ts'
import type { Question } from './feature.ts'

const cadenceSeconds = 300
/** What can be judged of a recorded day: half of it, since the features of the first look back. */
const baselineSeconds = 9 * hourSeconds

let day: RecordedDay
beforeAll(async () => {
  day = await recordedDay()
})

const kinds = ['LIQUIDITY_DISAPPEARANCE', 'ONE_SIDED_FLOW', 'MANIPULATION_INDICATOR'] as const
const question = (kind: Question['kind']): Question => ({
  kind,
  venueId: 'venue_a',
  positions: [],
  asset: 'BASE',
  pegX18: null,
  criticalAt: [],
})

/** Each kind at the end of the day, of the seconds that are kept. */
function detected(keep: (timestamp: number) => boolean): DetectorResult[] {
  const history = day.history(keep, '0xa')
  const at = history.stretches[0]!.to
  const terms = { at, cadenceSeconds, baselineSeconds, owned: new Map(), feeds: [] }
  return detect({ histories: [history], questions: kinds.map(question), ...terms })
}

describe('a recorded day', () => {
  it('is judged where it was observed', () => {
    for (const { outcome, reasons } of detected(() => true)) {
      expect([outcome?.state, reasons]).toEqual(['COMPLETED', []])
    }
  })

  it('is withheld, without severity, if six tenths were not observed', () => {
    const end = day.window.to
    const results = detected((at) => at >= end - 0.4 * baselineSeconds)
    for (const { outcome, reasons, contributors } of results) {
      expect(outcome).toMatchObject({ state: 'ABSTAINED', outcome: null, severity: null })
      expect(reasons).toContain('BASELINE_COVERAGE')
      expect(contributors).toEqual([])
    }
  })

  it('that was not observed at all has neither outcome nor samples', () => {
    const nothing = { ...day.history(), stretches: [] }
    const terms = {
      at: day.window.to,
      cadenceSeconds,
      baselineSeconds,
      owned: new Map(),
      feeds: [],
    }
    const results = detect({ histories: [nothing], questions: kinds.map(question), ...terms })
    for (const { outcome, samples, reasons } of results) {
      expect([outcome, samples]).toEqual([null, []])
      expect(reasons).toHaveLength(1)
    }
  })
})

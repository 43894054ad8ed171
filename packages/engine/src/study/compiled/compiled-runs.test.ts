// @module-tag long

import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { drawReplayStudy } from '../../../test/random-recordings.ts'
import { initialState, recordedClmmEvents } from '../../../test/recordings.ts'
import { compareReplays } from '../../../test/replay-fuzz.ts'
import type { ClmmEvent } from '../../replay/events.ts'
import type { ReplayStudy } from '../recorded-study.ts'
import { runReplayStudy, runReplayStudyCompiled, runReplayStudyReadably } from '../replay-study.ts'

const folder = 'v3-ens-weth-from-init'
const recording: ReplayStudy = {
  start: initialState(folder),
  events: recordedClmmEvents(`${folder}/events.csv`),
  orientation: { base: 1, quote: 0 },
  capital: { base: 10n ** 21n, quote: 10n ** 19n, normalization: 'EQUAL_VALUE' },
  arms: [
    { armId: 'full', kind: 'FULL_RANGE' },
    { armId: 'range', kind: 'V3_RANGE', tickLower: 48_000, tickUpper: 69_000 },
  ],
  bandsPips: [20_000],
  sampleSeconds: 600,
  benchmarks: true,
  measures: { tradeSizesQuote: [10n ** 18n], failure: [] },
}

test('drawn studies on drawn recordings come to the same bytes on both engines, and reach what there is', () => {
  const ends = { compiled: 0, left: 0, failed: 0 }
  const reached = new Set<string>()
  for (let seed = 50_000; seed < 50_120; seed++) {
    const study = drawReplayStudy(seed)
    const { difference, end } = compareReplays(study)
    expect(`${seed} ${difference}`).toBe(`${seed} null`)
    ends[end] += 1
    for (const { type, timestamp } of study.events) {
      reached.add(type)
      if (timestamp === null) reached.add('no time')
    }
    for (const { kind } of study.arms) reached.add(kind)
    for (const name of ['baseFees', 'measures', 'references', 'tickWindow'] as const) {
      if (study[name] !== undefined) reached.add(name)
    }
  }
  expect(ends.compiled).toBeGreaterThan(80)
  expect(ends.left).toBeGreaterThan(0)
  expect([...reached].sort()).toEqual(
    [
      ...['Burn', 'Collect', 'CollectProtocol', 'FeeChange', 'Flash', 'Mint', 'SetFeeProtocol'],
      ...['IncreaseObservationCardinalityNext', 'Swap', 'no time'],
      ...['FULL_RANGE', 'HOLD', 'STRATEGY', 'V3_RANGE'],
      ...['baseFees', 'measures', 'references', 'tickWindow'],
    ].sort(),
  )
})

test('a recorded launch comes to the same bytes, under both flow models and in both orientations', () => {
  expect(compareReplays(recording)).toEqual({ difference: null, end: 'compiled' })
  const turned = { ...recording, orientation: { base: 0, quote: 1 } }
  expect(compareReplays(turned)).toEqual({ difference: null, end: 'compiled' })
})

test('events that can be read only once come to the same as a list of them', () => {
  function* once(): Generator<ClmmEvent> {
    yield* recording.events
  }
  const whole = JSON.stringify(runReplayStudy(recording))
  expect(JSON.stringify(runReplayStudy({ ...recording, events: once() }))).toBe(whole)
})

test('one, two and eight worker threads come to the same bytes, and so does a study begun anew', async () => {
  const seed = 50_015
  const texts = await Promise.all(Array.from({ length: 1 + 2 + 8 }, () => runInWorker(seed)))
  expect(new Set(texts).size).toBe(1)
  const study = drawReplayStudy(seed)
  const breaksOff = {
    *[Symbol.iterator]() {
      yield* [...study.events].slice(0, 15)
      throw new Error('the worker died')
    },
  }
  expect(() => runReplayStudy({ ...study, events: breaksOff })).toThrow('the worker died')
  expect(JSON.stringify(runReplayStudy(study))).toBe(texts[0])
})

function runInWorker(seed: number): Promise<string> {
  const worker = new Worker(new URL('../../../test/replay-worker.ts', import.meta.url), {
    workerData: seed,
  })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

test('what has no room in the module is read once more by the readable engine', () => {
  const events = [...recording.events].slice(0, 300)
  const last = events.findLast((event) => event.type === 'Swap' && event.amount1 > 0n)
  // Such an amount of token0 no pool of 128 bits has paid out.
  const study = {
    ...recording,
    events: [...events, { ...last, amount0: -(1n << 130n) } as ClmmEvent],
  }
  expect(runReplayStudyCompiled(study)).toBeNull()
  const right = JSON.stringify(runReplayStudyReadably(study))
  expect(JSON.stringify(runReplayStudy(study))).toBe(right)
})

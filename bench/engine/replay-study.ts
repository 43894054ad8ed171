import { openClmmSession } from '../../packages/engine/src/amm/v3/fast/session.ts'
import { randomStream } from '../../packages/engine/src/random/xoshiro128.ts'
import type { ClmmEvent } from '../../packages/engine/src/replay/events.ts'
import type { ReplayStudy } from '../../packages/engine/src/study/recorded-study.ts'
import {
  runReplayStudyCompiled,
  runReplayStudyReadably,
} from '../../packages/engine/src/study/replay-study.ts'
import { initialState, recordedClmmEvents } from '../../packages/engine/test/recordings.ts'
import type { Benchmark } from '../benchmark.ts'
import { bytesInUse, exposeCollector, nextEvent } from './replay-heap.ts'
import { newState } from './workload.ts'

const MILLION = 1_000_000
/** Events of the million that both engines run. */
const COMPARED = 30_000
const RECORDED = 'cl-weth-op-2024'
/** Memory counts from here: caches are full and the code is compiled. */
const SETTLED = 200_000

/** Events generated on demand, equal in each run. */
function recording(count: number, seen: (index: number) => void = () => {}): Iterable<ClmmEvent> {
  return {
    *[Symbol.iterator]() {
      const session = openClmmSession(newState())
      const random = randomStream(17)
      for (let index = 0; index < count; index++) {
        seen(index)
        yield nextEvent(session, random, index)
      }
    },
  }
}

function studyOf(events: Iterable<ClmmEvent>): ReplayStudy {
  return {
    start: newState(),
    events,
    orientation: { base: 0, quote: 1 },
    capital: { base: 10n ** 21n, quote: 10n ** 21n, normalization: 'EQUAL_VALUE' },
    arms: [
      { armId: 'full', kind: 'FULL_RANGE' },
      { armId: 'wide', kind: 'V3_RANGE', tickLower: -6000, tickUpper: 6000 },
      { armId: 'narrow', kind: 'V3_RANGE', tickLower: -600, tickUpper: 600 },
    ],
    bandsPips: [20_000],
    sampleSeconds: 3600,
    flowModels: ['PRICE_SETTING'],
    measures: { tradeSizesQuote: [10n ** 18n], failure: [] },
  }
}

/** The study of `npm run bench -- studies`: a recorded market, four arms and the benchmarks. */
export function recordedStudy(): ReplayStudy {
  const range = (armId: string, tickLower: number, tickUpper: number) =>
    ({ armId, kind: 'V3_RANGE', tickLower, tickUpper }) as const
  return {
    start: initialState(RECORDED),
    events: recordedClmmEvents(`${RECORDED}/events.csv.gz`, RECORDED),
    orientation: { base: 1, quote: 0 },
    capital: { base: 8000n * 10n ** 18n, quote: 10n ** 19n, normalization: 'EQUAL_VALUE' },
    arms: [
      { armId: 'full', kind: 'FULL_RANGE' },
      range('wide', 67_400, 74_000),
      range('middle', 69_600, 71_800),
      range('narrow', 70_200, 71_000),
    ],
    bandsPips: [20_000],
    sampleSeconds: 3600,
    flowModels: ['PRICE_SETTING'],
    measures: { tradeSizesQuote: [10n ** 18n], failure: [] },
    benchmarks: true,
  }
}

/** Runs a study on both engines. @returns seconds of a processor @throws Error where they differ */
function compare(study: ReplayStudy) {
  const texts: string[] = []
  const keep = (result: unknown) => texts.push(JSON.stringify(result))
  const compiled = processorSeconds(() => keep(runReplayStudyCompiled(study)))
  const readable = processorSeconds(() => keep(runReplayStudyReadably(study)))
  if (texts[0] === 'null') throw new Error('The study was left to the readable engine.')
  if (texts[0] !== texts[1]) throw new Error('The engines differ.')
  return { compiled, readable }
}

/** CPU seconds of the work; other load on the machine does not count. */
export function processorSeconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/**
 * Studies of recordings in WebAssembly, compared with the readable engine. The results must be
 * equal.
 */
export const replayStudy: Benchmark = {
  name: 'replay-study',
  title: `a recorded study and ${COMPARED} drawn events on both engines, a million drawn events x 3 arms on the compiled`,
  units: {
    recordedCompiled: 's',
    recordedReadable: 's',
    someCompiled: 's',
    someReadable: 's',
    million: 's',
    drawing: 's',
    perMillion: 'kB',
  },
  comparisons: [
    {
      name: 'recorded, readable / compiled',
      of: 'recordedReadable',
      to: 'recordedCompiled',
      mark: { atLeast: 3 },
    },
    { name: 'drawn, readable / compiled', of: 'someReadable', to: 'someCompiled', mark: null },
    { name: 'a million events x 3 arms, s', of: 'million', mark: { atMost: 10 } },
    { name: 'kB per million events', of: 'perMillion', mark: { atMost: 1024 } },
  ],
  open: async () => {
    const collect = exposeCollector()
    const market = recordedStudy()
    return {
      round: async () => {
        const recorded = compare(market)
        const some = compare(studyOf(recording(COMPARED)))
        const inUse = { settled: 0, end: 0 }
        const events = recording(MILLION, (index) => {
          if (index === SETTLED) inUse.settled = bytesInUse(collect)
          if (index === MILLION - 1) inUse.end = bytesInUse(collect)
        })
        const both = processorSeconds(() => {
          if (runReplayStudyCompiled(studyOf(events)) === null) throw new Error('It was left.')
        })
        const drawing = processorSeconds(() => {
          for (const _event of recording(MILLION));
        })
        // Events are generated during the study; that work does not count.
        const million = both - drawing
        const grown = (inUse.end - inUse.settled) / 1000
        const perMillion = (grown * MILLION) / (MILLION - SETTLED)
        return {
          recordedCompiled: recorded.compiled,
          recordedReadable: recorded.readable,
          someCompiled: some.compiled,
          someReadable: some.readable,
          million,
          drawing,
          perMillion,
        }
      },
      close: async () => {},
    }
  },
}

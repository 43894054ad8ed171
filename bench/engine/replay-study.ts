import { openClmmSession } from '../../packages/engine/src/amm/v3/fast/session.ts'
import { randomStream } from '../../packages/engine/src/random/xoshiro128.ts'
import type { ClmmEvent } from '../../packages/engine/src/replay/events.ts'
import {
  type ReplayStudy,
  runReplayStudyCompiled,
  runReplayStudyReadably,
} from '../../packages/engine/src/study/replay-study.ts'
import type { Benchmark } from '../benchmark.ts'
import { bytesInUse, exposeCollector, nextEvent } from './replay-heap.ts'
import { newState } from './workload.ts'

const MILLION = 1_000_000
/** Events that both engines run. */
const COMPARED = 30_000
/** From here on memory is counted: caches are full and everything is compiled. */
const SETTLED = 200_000

/** Events that are drawn as they are asked for, alike each time. */
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

/** Seconds of a processor that some work takes: other work on the machine does not count. */
function processorSeconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** A million events on three arms in WebAssembly, and the first of them on both engines, whose results must be the same. */
export const replayStudy: Benchmark = {
  name: 'replay-study',
  title: `a study of a million events x 3 arms, and its first ${COMPARED} on both engines`,
  units: { million: 's', drawing: 's', compiled: 's', readable: 's', perMillion: 'kB' },
  comparisons: [
    { name: 'readable / compiled', of: 'readable', to: 'compiled', mark: null },
    { name: 'a million events x 3 arms, s', of: 'million', mark: { atMost: 10 } },
    { name: 'kB per million events', of: 'perMillion', mark: { atMost: 1024 } },
  ],
  open: async () => {
    const collect = exposeCollector()
    return {
      round: async () => {
        const some = studyOf(recording(COMPARED))
        const texts: string[] = []
        const keep = (result: unknown) => texts.push(JSON.stringify(result))
        const compiled = processorSeconds(() => keep(runReplayStudyCompiled(some)))
        const readable = processorSeconds(() => keep(runReplayStudyReadably(some)))
        if (texts[0] === 'null' || texts[0] !== texts[1]) throw new Error('The engines differ.')
        const inUse = { settled: 0, end: 0 }
        const events = recording(MILLION, (index) => {
          if (index === SETTLED) inUse.settled = bytesInUse(collect)
          if (index === MILLION - 1) inUse.end = bytesInUse(collect)
        })
        const million = processorSeconds(() => {
          if (runReplayStudyCompiled(studyOf(events)) === null) throw new Error('It was left.')
        })
        const drawing = processorSeconds(() => {
          for (const _event of recording(MILLION));
        })
        const grown = (inUse.end - inUse.settled) / 1000
        const perMillion = (grown * MILLION) / (MILLION - SETTLED)
        return { million, drawing, compiled, readable, perMillion }
      },
      close: async () => {},
    }
  },
}

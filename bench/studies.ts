import { performance } from 'node:perf_hooks'
import { type ClientOptions, createClient } from '@liquidity-os/client'
import { pathStudyOf } from '../apps/server/src/families/simulate/studies/paths/path-study.ts'
import type { ReplayTask } from '../apps/server/src/families/simulate/studies/replay/replay-task.ts'
import type { Benchmark } from './benchmark.ts'
import { startProgram, temporaryFolder } from './processes.ts'
import { EngineAlone } from './studies/engine-alone.ts'
import { profileOf, type RecordedVenue, sealRecording } from './studies/recorded-venue.ts'
import { pathsSpec, replaySpec, type StudySpec, shortSpec } from './studies/specs.ts'

const paths = 1000
/** Paths that both engines run. */
const comparedPaths = 100
const atOnce = 50

interface Said {
  baseUrl: string
  probePort: number
  callers: readonly Pick<ClientOptions, 'organizationId' | 'auth'>[]
  recorded: RecordedVenue
}

/**
 * Studies end to end through the API: asked for by POST, run by a worker on two threads, read when they have
 * ended. Limit: the engine alone on the same paths and the same history. Peer: the readable engine on the
 * first paths, whose outcomes must be the same. Beside it, how long the event loop was kept from its work while
 * fifty studies of five organizations ran.
 */
export const studies: Benchmark = {
  name: 'studies',
  title: `studies through the API: ${paths} paths x 720 steps x 4 arms and 3 benchmarks, 74,318 events x the same, ${atOnce} at once`,
  units: {
    compiled: 'ms a path',
    readable: 'ms a path',
    leftReadable: '',
    paths: 's',
    pathsEngine: 's',
    pathsOutside: '',
    replay: 's',
    replayEngine: 's',
    replayOutside: '',
    fifty: 's',
    loopP99: 'ms',
    loopLongest: 'ms',
    statusP99: 'ms',
  },
  comparisons: [
    { name: 'paths, readable / compiled', of: 'readable', to: 'compiled', mark: { atLeast: 4 } },
    { name: 'arms left readable', of: 'leftReadable', mark: { atMost: 0 } },
    { name: 'paths, share outside', of: 'pathsOutside', mark: { atMost: 0.05 } },
    { name: 'replay, share outside', of: 'replayOutside', mark: { atMost: 0.05 } },
    { name: 'event loop p99, ms', of: 'loopP99', mark: { atMost: 50 } },
    { name: '1,000 paths, s', of: 'paths', mark: { atMost: 5 } },
    { name: 'a replay, s', of: 'replay', mark: { atMost: 1 } },
  ],
  open: async () => {
    const folder = temporaryFolder()
    const product = await startProgram<Said>('bench/studies/studies-server.ts', {
      DATA_DIR: folder.path,
    })
    const engine = new EngineAlone()
    const { recorded } = product.said
    const history = await historyOf(recorded)
    let seed = 1
    return {
      round: async () => {
        seed += 1
        const monteCarlo = pathsSpec(paths, seed)
        const bytes = Buffer.from((monteCarlo.seed ?? '').slice(2), 'hex')
        const { data } = pathStudyOf(monteCarlo, Uint8Array.from(bytes), {}, null)
        const engines = await engine.bothEngines(data, comparedPaths)
        const replay = replaySpec(recorded, seed)
        const pathsEngine = (await engine.paths(data)) / 1000
        const own = await timed(() => runStudies(product.said, [monteCarlo]))
        const replayEngine = (await engine.replay(taskOf(replay, history))) / 1000
        const replayed = await timed(() => runStudies(product.said, [replay]))
        await probe(product.said)
        const many = Array.from({ length: atOnce }, (_, index) => shortSpec(1000 * seed + index))
        const waits: number[] = []
        const fifty = await timed(() => runStudies(product.said, many, waits))
        const { p99, longest } = await probe(product.said)
        return {
          compiled: engines.compiled / comparedPaths,
          readable: engines.readable / comparedPaths,
          leftReadable: engines.share,
          paths: own,
          pathsEngine,
          pathsOutside: 1 - pathsEngine / own,
          replay: replayed,
          replayEngine,
          replayOutside: 1 - replayEngine / replayed,
          fifty,
          loopP99: p99,
          loopLongest: longest,
          statusP99: waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0,
        }
      },
      close: async () => {
        await engine.close()
        await product.stop()
        folder.remove()
      },
    }
  },
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

async function historyOf(
  recorded: RecordedVenue,
): Promise<{ start: Uint8Array; events: Uint8Array }> {
  const { blobs } = await sealRecording({ ...recorded.venue, profile: profileOf() })
  const [start, , events] = blobs
  if (!start || !events) throw new Error('The recording was not sealed.')
  return { start: Uint8Array.from(start.content), events: Uint8Array.from(events.content) }
}

/** The task that the service creates for the same study. */
function taskOf(
  spec: ReturnType<typeof replaySpec>,
  { start, events }: { start: Uint8Array; events: Uint8Array },
): ReplayTask {
  return {
    start,
    events: [events],
    window: spec.window ?? { fromBlock: 0, toBlock: 0 },
    orientation: { base: 1, quote: 0 },
    capital: spec.capital,
    arms: spec.arms.flatMap((arm) =>
      'position' in arm ? [{ armId: arm.armId, ...arm.position }] : [],
    ),
    flowModels: spec.flowModels ?? [],
    bandsPips: spec.bandsPips ?? [],
    tradeSizesQuote: spec.tradeSizesQuote,
    sampleSeconds: spec.sampleSeconds ?? 0,
    positions: 'COMPLETE',
    actionLatencySeconds: 60,
    costs: null,
    measures: { failure: [], targetBaseShare: null },
    benchmarks: true,
    arbitrageCostQuote: '0',
  }
}

async function probe({ probePort }: Said): Promise<{ p99: number; longest: number }> {
  return (await fetch(`http://127.0.0.1:${probePort}`)).json() as never
}

/** Requests studies, in turn for each organization, and waits until all have ended. */
async function runStudies(
  { baseUrl, callers }: Said,
  specs: readonly StudySpec[],
  waits: number[] = [],
): Promise<void> {
  const clients = callers.map((caller) => createClient({ baseUrl, ...caller }))
  const open = await Promise.all(
    specs.map(async (payload, index) => {
      const client = clients[index % clients.length] ?? fail('No organization exists.')
      const { body } = await client.createStudies({
        body: { payload, reason: 'For the benchmark' },
        idempotencyKey: crypto.randomUUID(),
      })
      return { client, id: 'study' in body.data ? body.data.study.id : body.data.id }
    }),
  )
  for (const { client, id } of open) {
    for (;;) {
      const start = performance.now()
      const { body } = await client.getStudies({ params: { id } })
      waits.push(performance.now() - start)
      const { status } = body.data
      if (status === 'COMPLETED' || status === 'PARTIAL') break
      if (status !== 'VALIDATED' && status !== 'ACTIVE') fail(`A study is ${status}.`)
      await new Promise((done) => setTimeout(done, 20))
    }
  }
}

function fail(message: string): never {
  throw new Error(message)
}

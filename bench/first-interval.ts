import { performance } from 'node:perf_hooks'
import { type ClientOptions, createClient } from '@liquidity-os/client'
import type { Benchmark } from './benchmark.ts'
import { startProgram, temporaryFolder } from './processes.ts'
import { pathsSpec, type StudySpec } from './studies/specs.ts'

const paths = 1000

interface Said {
  baseUrl: string
  callers: readonly Pick<ClientOptions, 'organizationId' | 'auth'>[]
}

/**
 * How soon somebody who asked for a study on paths sees what its arms are about, and how far: the first estimates with their
 * intervals beside the result, which was the first answer before there were any. Asked through the API, run by a worker on
 * two threads, on the embedded database. Then the same question with the range of one arm moved, which is all that is run of it.
 */
export const firstInterval: Benchmark = {
  name: 'first-interval',
  title: `the first interval of a study of ${paths} paths x 720 steps x 4 arms and 3 benchmarks, asked for through the API`,
  units: { first: 's', whole: 's', changed: 's' },
  comparisons: [
    { name: 'result / first interval', of: 'whole', to: 'first', mark: { atLeast: 5 } },
    { name: 'result / one arm moved', of: 'whole', to: 'changed', mark: { atLeast: 1.5 } },
    { name: 'first interval, s', of: 'first', mark: { atMost: 0.3 } },
  ],
  open: async () => {
    const folder = temporaryFolder()
    const product = await startProgram<Said>('bench/studies/studies-server.ts', {
      DATA_DIR: folder.path,
    })
    const { baseUrl, callers } = product.said
    const client = createClient({ baseUrl, ...(callers[0] ?? fail('No caller is configured.')) })
    const ask = async (payload: StudySpec) => {
      const start = performance.now()
      const { body } = await client.createStudies({
        body: { payload, reason: 'For the benchmark' },
        idempotencyKey: crypto.randomUUID(),
      })
      const { data } = body
      const id = 'study' in data ? data.study.id : fail('It was answered at once.')
      return async (state: string) => {
        for (;;) {
          const progress = (await client.readStudyProgress({ params: { id } })).body.data
          if (progress.state === state) return (performance.now() - start) / 1000
          await new Promise((done) => setTimeout(done, 5))
        }
      }
    }
    let seed = 0
    return {
      round: async () => {
        seed += 1
        const spec = pathsSpec(paths, seed)
        const until = await ask(spec)
        const first = await until('PRELIMINARY')
        const whole = await until('ENDED')
        const untilMoved = await ask(withMovedRange(spec))
        return { first, whole, changed: await untilMoved('ENDED') }
      },
      close: async () => {
        await product.stop()
        folder.remove()
      },
    }
  },
}

/** The same question, its first range a little wider. */
function withMovedRange(spec: StudySpec): StudySpec {
  const place = spec.arms.findIndex((arm) => 'position' in arm && arm.position.kind === 'RANGE')
  const { armId, label } = spec.arms[place] ?? fail('The study has no range.')
  const position = { kind: 'RANGE', lowerPips: 350_000, upperPips: 350_000 } as const
  return { ...spec, arms: spec.arms.with(place, { armId, label, position }) }
}

function fail(message: string): never {
  throw new Error(message)
}

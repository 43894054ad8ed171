import { performance } from 'node:perf_hooks'
import { type ClientOptions, createClient } from '@liquidity-os/client'
import type { Benchmark } from './benchmark.ts'
import { startProgram, temporaryFolder } from './processes.ts'
import { pathsSpec } from './studies/specs.ts'

const paths = 1000

interface Said {
  baseUrl: string
  callers: readonly Pick<ClientOptions, 'organizationId' | 'auth'>[]
}

/**
 * How soon somebody who asked for a study on paths sees what its arms are about, and how far: the first estimates with their
 * intervals beside the result, which was the first answer before there were any. Asked through the API, run by a worker on
 * two threads, on the embedded database.
 */
export const firstInterval: Benchmark = {
  name: 'first-interval',
  title: `the first interval of a study of ${paths} paths x 720 steps x 4 arms and 3 benchmarks, asked for through the API`,
  units: { first: 's', whole: 's' },
  comparisons: [
    { name: 'result / first interval', of: 'whole', to: 'first', mark: { atLeast: 5 } },
    { name: 'first interval, s', of: 'first', mark: { atMost: 0.3 } },
  ],
  open: async () => {
    const folder = temporaryFolder()
    const product = await startProgram<Said>('bench/studies/studies-server.ts', {
      DATA_DIR: folder.path,
    })
    const { baseUrl, callers } = product.said
    const client = createClient({ baseUrl, ...(callers[0] ?? fail('There is nobody to ask.')) })
    let seed = 0
    return {
      round: async () => {
        seed += 1
        const start = performance.now()
        const { body } = await client.createStudies({
          body: { payload: pathsSpec(paths, seed), reason: 'For the benchmark' },
          idempotencyKey: crypto.randomUUID(),
        })
        const { data } = body
        const id = 'study' in data ? data.study.id : fail('It was answered at once.')
        const until = async (state: string) => {
          for (;;) {
            const progress = (await client.readStudyProgress({ params: { id } })).body.data
            if (progress.state === state) return (performance.now() - start) / 1000
            await new Promise((done) => setTimeout(done, 5))
          }
        }
        const first = await until('PRELIMINARY')
        return { first, whole: await until('ENDED') }
      },
      close: async () => {
        await product.stop()
        folder.remove()
      },
    }
  },
}

function fail(message: string): never {
  throw new Error(message)
}

import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { smallStudy } from '../../test/monte-carlo-study.ts'
import { aggregate } from './aggregate.ts'
import { aggregateTerms } from './monte-carlo-study.ts'
import type { ArmOutcome } from './run-path.ts'

test('one, two and eight worker threads give the same bytes', async () => {
  const hashes: string[] = []
  for (const workers of [1, 2, 8]) hashes.push(await hashOfStudy(workers))
  expect(new Set(hashes).size).toBe(1)
})

async function hashOfStudy(workers: number): Promise<string> {
  const spec = smallStudy()
  const size = spec.paths / workers
  const parts = await Promise.all(
    Array.from({ length: workers }, (_, i) => runInWorker(i * size, (i + 1) * size)),
  )
  const statistics = aggregate(parts.flat(), aggregateTerms(spec))
  const text = JSON.stringify([statistics, parts.flat()], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value instanceof Float64Array ? [...value] : value,
  )
  return createHash('sha256').update(text).digest('hex')
}

function runInWorker(from: number, to: number): Promise<ArmOutcome[][]> {
  const worker = new Worker(new URL('../../test/monte-carlo-worker.ts', import.meta.url), {
    workerData: { from, to },
  })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { payload, payloadSchema } from '../packages/evidence/bench/sample.ts'
import { compileCanonical, hashCanonical } from '../packages/evidence/src/index.ts'
import type { Benchmark } from './benchmark.ts'
import { timed } from './timed.ts'

/**
 * Canonical text and hash of a payload of 2 kB, by the serializer compiled from its schema. Peer: the package
 * `canonicalize` and SHA-256. Limit: JSON.stringify and SHA-256, which sorts nothing.
 */
export const canonicalHash: Benchmark = {
  name: 'canonical-hash',
  title: 'canonical JSON and SHA-256 of a payload of 2 kB',
  units: { product: 'op/s', peer: 'op/s', limit: 'op/s' },
  comparisons: [
    { name: 'product / canonicalize', of: 'product', to: 'peer', mark: { atLeast: 3.5 } },
    { name: 'product / JSON.stringify', of: 'product', to: 'limit', mark: null },
  ],
  open: async ({ seconds }) => {
    const compiled = compileCanonical(payloadSchema)
    const samples = Array.from({ length: 64 }, (_, seed) => payload(seed))
    for (const sample of samples) {
      if (compiled(sample) !== canonicalize(sample)) throw new Error('The texts differ.')
    }
    const run = (each: (sample: Record<string, unknown>) => unknown) => () => {
      for (const sample of samples) each(sample)
    }
    const product = run((sample) => hashCanonical('bench/v1', compiled(sample)))
    const peer = run((sample) => hash('sha256', canonicalize(sample) ?? '', 'hex'))
    const limit = run((sample) => hash('sha256', JSON.stringify(sample), 'hex'))
    const slice = seconds / 3
    const all = () => ({
      peer: timed(peer, slice, samples.length),
      product: timed(product, slice, samples.length),
      limit: timed(limit, slice, samples.length),
    })
    all()
    return { round: async () => all(), close: async () => {} }
  },
}

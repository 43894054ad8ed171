/**
 * Canonical serialization and hashing against the npm package `canonicalize` with SHA-256, and strict
 * against plain parsing. Candidates run interleaved, so that drift of the machine hits all alike;
 * the figures that count are the ratios.
 *
 *     node packages/evidence/bench/canonical.ts
 */
import { hash } from 'node:crypto'
import canonicalizeNpm from 'canonicalize'
import {
  canonicalize,
  compileCanonical,
  hashCanonical,
  parseStrict,
  sealRecord,
  verifyRecordChain,
} from '../src/index.ts'
import { payload, payloadSchema } from './sample.ts'

const ROUNDS = 15
const CALLS = 4000

const compiled = compileCanonical(payloadSchema)
const unsorted = payload(7)
const plainText = JSON.stringify(unsorted)
const plainBytes = new TextEncoder().encode(plainText)
const sorted: unknown = JSON.parse(canonicalize(unsorted))
const draft = {
  id: 'study_0198c0ffee0000000000000000000001',
  resourceType: 'study',
  organizationId: 'org_0198c0ffee0000000000000000000002',
  sequence: 1,
  previousResourceVersion: null,
  status: 'ACTIVE',
  payload: unsorted,
  evidenceHashes: [],
  reason: 'A study of depth at the open.',
  createdAt: '2026-01-31T12:00:00.000Z',
  createdBy: { kind: 'SESSION' as const, id: 'user_0198c0ffee0000000000000000000003' },
}
const stored = Array.from({ length: 1 }, () => sealRecord(draft).text)

const candidates: Record<string, () => unknown> = {
  'npm canonicalize + SHA-256': () => hash('sha256', canonicalizeNpm(unsorted) ?? '', 'hex'),
  'canonicalize + SHA-256': () => hashCanonical('bench/v1', canonicalize(unsorted)),
  'compiled + SHA-256': () => hashCanonical('bench/v1', compiled(unsorted)),
  'JSON.stringify + SHA-256 (limit)': () => hash('sha256', JSON.stringify(unsorted), 'hex'),
  'npm canonicalize': () => canonicalizeNpm(unsorted),
  'canonicalize, members unsorted': () => canonicalize(unsorted),
  'canonicalize, members sorted': () => canonicalize(sorted),
  compiled: () => compiled(unsorted),
  'JSON.stringify': () => JSON.stringify(unsorted),
  'sealRecord, compiled payload': () => sealRecord(draft, compiled),
  'verifyRecordChain, one record': () => verifyRecordChain(stored),
  'parse + stringify + SHA-256 of the record': () =>
    hash('sha256', JSON.stringify(JSON.parse(stored[0] ?? '')), 'hex'),
  'JSON.parse of text': () => JSON.parse(plainText),
  'parseStrict of text': () => parseStrict(plainText),
  'parseStrict of bytes': () => parseStrict(plainBytes),
}

const microseconds = new Map<string, number[]>()
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(candidates)) {
    const start = process.hrtime.bigint()
    for (let call = 0; call < CALLS; call++) run()
    const elapsed = Number(process.hrtime.bigint() - start) / 1000 / CALLS
    if (round > 2) microseconds.set(name, [...(microseconds.get(name) ?? []), elapsed])
  }
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
const reference = median(microseconds.get('npm canonicalize + SHA-256') ?? [])
console.log(`payload ${plainText.length} bytes, record ${stored[0]?.length} bytes`)
for (const [name, values] of microseconds) {
  const value = median(values)
  const ratio = (reference / value).toFixed(2)
  console.log(`${name.padEnd(44)} ${value.toFixed(2).padStart(8)} µs ${ratio.padStart(7)} ×`)
}

import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { daySeconds } from '../../../units.ts'
import { valueAt } from '../../json-pointer.ts'

type Evidence = contract.DecisionEvidence
type Block = Evidence['provenance']['blocks'][number]

const ages: Readonly<Record<string, number>> = {
  TreasuryProjection: 7,
  TreasuryReconciliation: 7,
  TreasuryStressStudy: 30,
}
const usualDays = 14

/** Maximum age of a source record, by kind, at the submission of a packet. */
export const usualAgeSeconds = (resourceType: string) =>
  (ages[resourceType] ?? usualDays) * daySeconds

/** A record as evidence, with its sources if the record names them. */
export function evidenceOf(record: VersionedRecord, maximumAgeSeconds?: number): Evidence {
  const { resourceType, id, resourceVersion, artifactHash } = record
  return {
    source: { resourceType, id, resourceVersion },
    recordHash: artifactHash,
    observedAt: observedAt(record),
    maximumAgeSeconds: maximumAgeSeconds ?? usualAgeSeconds(resourceType),
    provenance: {
      engineVersion: textIn(record, [
        '/payload/computation/engineVersion',
        '/payload/evidence/engineVersion',
        '/payload/result/evidence/engineVersion',
        '/payload/report/engine/engineVersion',
      ]),
      inputsHash: textIn(record, [
        '/payload/computation/inputsHash',
        '/payload/evidence/specHash',
        '/payload/result/evidence/specHash',
        '/payload/report/protocolHash',
      ]) as Evidence['provenance']['inputsHash'],
      seed: textIn(record, [
        '/payload/computation/seed',
        '/payload/evidence/seed',
        '/payload/result/evidence/seed',
        '/payload/report/engine/seed',
      ]),
      completeness: textIn(record, [
        '/payload/computation/completeness',
        '/payload/result/state',
        '/payload/report/state',
      ]),
      gaps: Math.max(
        ...[
          '/payload/computation/gaps',
          '/payload/evidence/gaps',
          '/payload/result/evidence/gaps',
          '/payload/report/gaps',
        ].map((pointer) => listAt(record, pointer).length),
      ),
      blocks: blocksOf(record),
    },
  }
}

/** Time of the data: the snapshot time, which precedes the record. */
function observedAt(record: VersionedRecord): string {
  return textIn(record, ['/payload/computation/snapshot/asOf']) ?? record.createdAt
}

function textIn(record: VersionedRecord, pointers: readonly string[]): string | null {
  for (const pointer of pointers) {
    const value = valueAt(record, pointer)
    if (typeof value === 'string') return value
  }
  return null
}

function listAt(record: VersionedRecord, pointer: string): readonly unknown[] {
  const value = valueAt(record, pointer)
  return Array.isArray(value) ? value : []
}

const maxBlocks = 32

/** Blocks of a snapshot and of evidence, which use different fields for them. */
function blocksOf(record: VersionedRecord): Block[] {
  const snapshot = listAt(record, '/payload/computation/snapshot/chains').map((chain) => ({
    chainId: valueAt(chain, '/chainId'),
    number: valueAt(chain, '/blockNumber'),
    hash: valueAt(chain, '/blockHash'),
  }))
  const others = [
    ...listAt(record, '/payload/evidence/blocks'),
    ...listAt(record, '/payload/result/evidence/blocks'),
  ].map((block) => ({
    chainId: valueAt(block, '/chainId'),
    number: valueAt(block, '/number'),
    hash: valueAt(block, '/hash'),
  }))
  return [...snapshot, ...others].filter(isBlock).slice(0, maxBlocks)
}

const isBlock = (block: Record<keyof Block, unknown>): block is Block =>
  typeof block.chainId === 'number' &&
  typeof block.number === 'number' &&
  typeof block.hash === 'string'

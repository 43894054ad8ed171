import {
  type Hash,
  type InclusionProof,
  merkleLeafHash,
  printSeconds,
  proofLeaf,
  storedConsistency,
  storedInclusion,
} from '@liquidity-os/evidence'
import type { Database } from '../../../store/database/database.ts'
import { integerOf, textOf } from '../../../store/database/row.ts'
import { sql, values } from '../../../store/database/sql.ts'
import {
  checkpointColumns,
  checkpointOf,
  fromStored,
  newestCheckpointStatement,
  type StoredCheckpoint,
} from './log-store.ts'

/** An event in the log: its leaf, and the path to a checkpoint. */
export interface LoggedEvent {
  readonly leafHash: Hash
  readonly leaf: { readonly kind: 'EVENT'; readonly subjectHash: Hash; readonly loggedAt: string }
  readonly inclusion: InclusionProof
  readonly checkpoint: StoredCheckpoint
}

/** Log entries of events. Events that no checkpoint covers yet are omitted. */
export async function readLogged(
  database: Database,
  evidenceHashes: readonly Hash[],
  checkpoint?: StoredCheckpoint,
): Promise<Map<Hash, LoggedEvent>> {
  if (evidenceHashes.length === 0) return new Map()
  const [rows = [], checkpoints = []] = await database.global([
    sql`select leaf_index, subject_hash, logged_at from log_leaves
      where subject_hash in ${values(evidenceHashes)}`,
    newestCheckpointStatement(),
  ])
  const head = checkpoint ?? (checkpoints[0] ? checkpointOf(checkpoints[0]) : null)
  if (!head) return new Map()
  const leaves = rows
    .map((row) => ({
      index: integerOf(row, 'leaf_index'),
      subjectHash: textOf(row, 'subject_hash') as Hash,
      loggedAt: integerOf(row, 'logged_at'),
    }))
    .filter(({ index }) => index < head.treeSize)
  const proofs = await fromStored(
    database,
    leaves.map(({ index }) => storedInclusion(index, head.treeSize)),
  )
  return new Map(
    leaves.map(({ subjectHash, loggedAt }, index) => [
      subjectHash,
      {
        leafHash: merkleLeafHash(proofLeaf(subjectHash, loggedAt)),
        leaf: { kind: 'EVENT', subjectHash, loggedAt: printSeconds(loggedAt) },
        inclusion: proofs[index] as InclusionProof,
        checkpoint: head,
      },
    ]),
  )
}

/** Proof that one tree of the log is a prefix of another. */
export interface LogConsistency {
  readonly fromSize: number
  readonly fromRoot: Hash
  readonly toSize: number
  readonly path: readonly Hash[]
}

/**
 * The proof that the checkpoint of a size continues the previous checkpoint; null for the first.
 */
export async function logConsistency(
  database: Database,
  treeSize: number,
): Promise<LogConsistency | null> {
  const [rows = []] = await database.global([newestCheckpointStatement(treeSize - 1)])
  const before = rows[0] ? checkpointOf(rows[0]) : null
  if (!before) return null
  const [proof] = await fromStored(database, [storedConsistency(before.treeSize, treeSize)])
  if (!proof) throw new Error('The requested proof is missing.')
  return {
    fromSize: proof.fromSize,
    fromRoot: before.rootHash,
    toSize: treeSize,
    path: [...proof.path],
  }
}

/**
 * Consistency proofs between a checkpoint and the trees at key handovers. In each pair the smaller
 * tree is a prefix of the larger.
 *
 * @param sizes tree sizes at the handovers, each signed
 */
export async function handoverConsistency(
  database: Database,
  treeSize: number,
  sizes: readonly number[],
): Promise<{ fromSize: number; toSize: number; path: Hash[] }[]> {
  const requestedValue = sizes.map(
    (size) => [Math.min(size, treeSize), Math.max(size, treeSize)] as const,
  )
  const proofs = await fromStored(
    database,
    requestedValue.map(([fromSize, toSize]) => storedConsistency(fromSize, toSize)),
  )
  return proofs.map(({ fromSize, treeSize: toSize, path }) => ({
    fromSize,
    toSize,
    path: [...path],
  }))
}

/**
 * Published checkpoint of a leaf: the first cosigned one that covers it, or without cosignatures
 * the first of all. A late cosignature can still change the result to an earlier one.
 */
export async function firstHeadOver(
  database: Database,
  leafIndex: number,
): Promise<StoredCheckpoint | null> {
  const [rows = []] = await database.global([
    sql`select ${checkpointColumns} from log_checkpoints where tree_size = coalesce(
      (select min(c.tree_size) from log_cosignatures c join log_checkpoints h on h.tree_size = c.tree_size
        where c.tree_size > ${leafIndex}),
      (select min(tree_size) from log_checkpoints where tree_size > ${leafIndex}))`,
  ])
  return rows[0] ? checkpointOf(rows[0]) : null
}

/** Checkpoints up to a size, oldest first, up to a limit. */
export async function headsUpTo(
  database: Database,
  treeSize: number,
  limit: number,
): Promise<StoredCheckpoint[]> {
  const [rows = []] = await database.global([
    sql`select ${checkpointColumns} from log_checkpoints where tree_size <= ${treeSize}
      order by tree_size desc limit ${limit}`,
  ])
  return rows.map(checkpointOf).toReversed()
}

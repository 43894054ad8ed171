import {
  cosignedAt,
  growTree,
  type Hash,
  hexToBytes,
  InvalidKeyError,
  type LogKeys,
  merkleLeafHash,
  NoteError,
  noteKeyId,
  noteKeyKinds,
  openCheckpoint,
  parseCheckpoint,
  parseNote,
  parseSignature,
  printVerifierKey,
  proofLeaf,
  rootOfSubtrees,
  type StoredSubtree,
  type VerifierKey,
} from '@liquidity-os/evidence'
import type { Database } from '../../../store/database/database.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../../../store/database/row.ts'
import { column, sql } from '../../../store/database/sql.ts'
import { chainLogKeys, readStoredLogKeys } from './log-key-store.ts'
import {
  checkpointColumns,
  checkpointOf,
  eventsBehindLog,
  type StoredCheckpoint,
  sizeOf,
  sizeStatement,
  waitingEvents,
} from './log-store.ts'

/**
 * Verification result of the whole log. Without faults, the log matches its checkpoints and
 * contains every event exactly once.
 */
export interface LogReport {
  readonly origin: string | null
  readonly leaves: number
  /** Events without a leaf so far; a running node adds them within seconds. */
  readonly waiting: number
  /** Creation time of the oldest waiting event. */
  readonly waitingSince: string | null
  readonly checkpoints: number
  /** Newest checkpoint, for storage by a verifier who wants to check later consistency. */
  readonly head: {
    readonly treeSize: number
    readonly rootHash: string
    readonly note: string
  } | null
  /** Tree sizes of key handovers with a note of the first format, which contains no root. */
  readonly rootless: readonly number[]
  readonly witnesses: readonly WitnessReport[]
  readonly faults: readonly string[]
}

/** A key with stored cosignatures. All signatures not listed as faults are valid. */
export interface WitnessReport {
  /** In the form of verifiers: NAME+ID+KEY. */
  readonly key: string
  readonly cosigned: number
  /** Leaves of the largest checkpoint that it has cosigned. */
  readonly newest: number
  /**
   * True if the deployment currently configures the witness. Signatures of other witnesses date
   * from earlier configurations, or were inserted.
   */
  readonly isConfigured: boolean
}

const batchLeaves = 5_000
const maxFaults = 100

/**
 * Rebuilds the log from its leaves and compares all stored hashes, checkpoints with signatures, and
 * events.
 *
 * @param knownCheckpoint an externally stored note of the log, which the log must extend
 * @param configured witnesses of the deployment
 */
export async function verifyLog(
  database: Database,
  knownCheckpoint: string | null,
  configured: readonly VerifierKey[] = [],
): Promise<LogReport> {
  const [states = [], checkpointRows = [], handed = []] = await database.global([
    sizeStatement,
    sql`select ${checkpointColumns} from log_checkpoints order by tree_size`,
    sql`select tree_size from log_handovers limit 1`,
  ])
  const state = sizeOf(states[0])
  const checkpoints = checkpointRows.map(checkpointOf)
  const { waiting, since } = await waitingEvents(database, Number.MAX_SAFE_INTEGER)
  const waitingSince = since === null ? null : new Date(since).toISOString()
  if (!state) {
    const isMissed = knownCheckpoint !== null || checkpoints.length > 0
    const faults = isMissed ? ['A checkpoint exists, but its log is missing.'] : []
    return {
      origin: null,
      leaves: 0,
      waiting,
      waitingSince,
      checkpoints: checkpoints.length,
      head: null,
      rootless: [],
      witnesses: [],
      faults,
    }
  }
  const faults: string[] = []
  const isSigned = checkpoints.length + handed.length > 0 || knownCheckpoint !== null
  const keys = isSigned ? await logKeysOf(database, faults) : null
  const heads = new Map<number, { root: Hash; named: string }[]>()
  const expect = (note: string, stored: StoredCheckpoint | null) => {
    const named = stored ? `checkpoint of ${stored.treeSize} leaves` : 'known checkpoint'
    try {
      const signed = parseCheckpoint(parseNote(note).text)
      // Invalid keys are one fault; the leaves are still compared with the checkpoints.
      const { size, root } = keys
        ? openCheckpoint(note, state.origin, keys.at(signed.size))
        : signed
      const hash: Hash = `0x${Buffer.from(root).toString('hex')}`
      if (stored && (stored.treeSize !== size || stored.rootHash !== hash)) {
        faults.push(`The ${named} states ${size} leaves with root ${hash}.`)
      }
      heads.set(size, [...(heads.get(size) ?? []), { root: hash, named }])
    } catch (error) {
      faults.push(`The ${named}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  for (const { size, root } of keys?.handovers ?? []) {
    if (!root) continue
    const hash: Hash = `0x${Buffer.from(root).toString('hex')}`
    heads.set(size, [{ root: hash, named: `handover at ${size} leaves` }])
  }
  for (const checkpoint of checkpoints) expect(checkpoint.note, checkpoint)
  if (knownCheckpoint !== null) expect(knownCheckpoint, null)
  const leaves = await walkLeaves(database, heads, faults)
  if (leaves !== state.size) faults.push(`The log states ${state.size} leaves but has ${leaves}.`)
  for (const [size, expected] of heads) {
    if (size <= leaves) continue
    for (const { named } of expected)
      faults.push(`The ${named} covers ${size} leaves, but the log has ${leaves}.`)
  }
  faults.push(...(await validateEvents(database)))
  const witnesses = await walkCosignatures(database, configured, faults)
  const newest = checkpoints.at(-1)
  return {
    origin: state.origin,
    leaves,
    waiting,
    waitingSince,
    checkpoints: checkpoints.length,
    head: newest
      ? { treeSize: newest.treeSize, rootHash: newest.rootHash, note: newest.note }
      : null,
    rootless: (keys?.handovers ?? []).flatMap(({ size, root }) => (root ? [] : [size])),
    witnesses,
    faults: faults.slice(0, maxFaults),
  }
}

/**
 * Log keys, each vouched for by the previous one. Null with a fault if that fails or no key exists.
 */
async function logKeysOf(database: Database, faults: string[]): Promise<LogKeys | null> {
  try {
    const storedKeys = await readStoredLogKeys(database)
    if (storedKeys) return chainLogKeys(storedKeys)
    faults.push('Log keys: none stored; no checkpoint was checked against its key.')
    return null
  } catch (error) {
    if (!(error instanceof NoteError)) throw error
    faults.push(`Log keys: ${error.message} No checkpoint was checked against its key.`)
    return null
  }
}

/**
 * Grows the tree leaf by leaf, compares the root at every checkpoint size, and returns the number of leaves.
 */
async function walkLeaves(
  database: Database,
  heads: ReadonlyMap<number, readonly { root: Hash; named: string }[]>,
  faults: string[],
): Promise<number> {
  let [size, peaks] = [0, [] as Uint8Array[]]
  for (;;) {
    const [rows = []] = await database.global([
      sql`select leaf_index, subject_hash, logged_at from log_leaves where leaf_index >= ${size}
        order by leaf_index limit ${batchLeaves}`,
    ])
    const completed: StoredSubtree[] = []
    for (const row of rows) {
      const index = integerOf(row, 'leaf_index')
      if (index !== size) {
        faults.push(`Leaf ${size} is missing.`)
        return size
      }
      const bytes = proofLeaf(textOf(row, 'subject_hash') as Hash, integerOf(row, 'logged_at'))
      const grown = growTree(size, peaks, [hexToBytes(merkleLeafHash(bytes).slice(2))])
      completed.push(...grown.completed)
      size += 1
      peaks = grown.peaks
      const root = heads.has(size)
        ? `0x${Buffer.from(rootOfSubtrees(peaks)).toString('hex')}`
        : null
      for (const { root: signed, named } of heads.get(size) ?? []) {
        if (root !== signed)
          faults.push(`The ${named} has the root ${signed}; the leaves give ${root}.`)
      }
    }
    faults.push(...(await validateNodes(database, completed)))
    if (rows.length < batchLeaves) return size
  }
}

/** Finds stored hashes that do not match their leaves, because proofs use stored hashes. */
async function validateNodes(
  database: Database,
  completed: readonly StoredSubtree[],
): Promise<string[]> {
  const [rows = []] = await database.global([
    sql`select asked.level, asked.place from unnest(
        ${column('integer', completed, ({ level }) => level)},
        ${column('bigint', completed, ({ place: itemIndex }) => itemIndex)},
        ${column('text', completed, ({ hash }) => Buffer.from(hash).toString('hex'))}
      ) as asked (level, place, hash)
      left join log_nodes n on n.level = asked.level and n.place = asked.place
      where n.hash is null or encode(n.hash, 'hex') <> asked.hash order by 1, 2 limit ${maxFaults}`,
  ])
  return rows.map(
    ({ level, place }) => `The stored hash ${level}/${place} does not match its leaves.`,
  )
}

/** Verifies all witness cosignatures against their checkpoint and stored key. */
async function walkCosignatures(
  database: Database,
  configured: readonly VerifierKey[],
  faults: string[],
): Promise<WitnessReport[]> {
  const reports = new Map<string, WitnessReport>()
  for (let [size, name, publicKey] = [-1, '', '']; ; ) {
    const [rows = []] = await database.global([
      sql`select c.tree_size, c.name, c.public_key, c.line, p.note from log_cosignatures c
        left join log_checkpoints p on p.tree_size = c.tree_size
        where (c.tree_size, c.name, c.public_key) > (${size}, ${name}, ${publicKey})
        order by c.tree_size, c.name, c.public_key limit ${batchLeaves}`,
    ])
    for (const row of rows) {
      ;[size, name, publicKey] = [integerOf(row, 'tree_size'), ...cosignerOf(row)]
      if (!isCosigned(row, name, publicKey)) {
        faults.push(
          `The line of ${name} at ${size} leaves is not a valid cosignature of that checkpoint.`,
        )
        continue
      }
      const key = printVerifierKey(name, publicKey, noteKeyKinds.cosignature)
      reports.set(key, {
        key,
        newest: size,
        cosigned: (reports.get(key)?.cosigned ?? 0) + 1,
        isConfigured: configured.some((one) => one.name === name && one.publicKey === publicKey),
      })
    }
    if (rows.length < batchLeaves) return [...reports.values()]
  }
}

const cosignerOf = (row: Row): [string, string] => [textOf(row, 'name'), textOf(row, 'public_key')]

/**
 * Also false for an invalid key or a missing checkpoint, because then the row was not written by
 * the service.
 */
function isCosigned(row: Row, name: string, publicKey: string): boolean {
  const note = optionalTextOf(row, 'note')
  if (note === null) return false
  try {
    const witness = {
      name,
      publicKey,
      keyId: noteKeyId(name, publicKey, noteKeyKinds.cosignature),
    }
    const line = parseSignature(textOf(row, 'line').trimEnd())
    return cosignedAt(parseNote(note).text, line, witness) !== null
  } catch (error) {
    if (!(error instanceof NoteError || error instanceof InvalidKeyError)) throw error
    return false
  }
}

/** Events without a leaf, leaves without an event, and leaves out of commit order. */
async function validateEvents(database: Database): Promise<string[]> {
  const [unlogged = [], unknown = [], disordered = []] = await database.proofLog([
    sql`select e.evidence_hash from events e left join log_leaves l on l.subject_hash = e.evidence_hash
      where l.leaf_index is null and not (${eventsBehindLog}) limit ${maxFaults}`,
    sql`select l.leaf_index from log_leaves l left join events e on e.evidence_hash = l.subject_hash
      where e.evidence_hash is null order by l.leaf_index limit ${maxFaults}`,
    sql`select leaf_index from (
        select l.leaf_index, row(e.era, e.transaction_id, e.organization_id, e.ordinal) as own,
          lag(row(e.era, e.transaction_id, e.organization_id, e.ordinal)) over (order by l.leaf_index) as before
        from log_leaves l join events e on e.evidence_hash = l.subject_hash
      ) as ordered where own <= before order by leaf_index limit ${maxFaults}`,
  ])
  return [
    ...unlogged.map(({ evidence_hash }) => `The event ${evidence_hash} has no leaf.`),
    ...unknown.map(({ leaf_index }) => `Leaf ${leaf_index} matches no event in this store.`),
    ...disordered.map(
      ({ leaf_index }) => `Leaf ${leaf_index} follows a leaf that was committed later.`,
    ),
  ]
}

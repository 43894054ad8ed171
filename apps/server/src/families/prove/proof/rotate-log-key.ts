import { hexToBytes, signLogKeyHandover, storedRoot } from '@liquidity-os/evidence'
import { AdministrationError } from '../../../access/administration.ts'
import type { SigningKeys } from '../../../access/signing-keys.ts'
import { limits } from '../../../limits.ts'
import { ConflictError, type Database } from '../../../store/database/database.ts'
import { sql } from '../../../store/database/sql.ts'
import { handoversAre, lockLogKey, readStoredLogKeys, type StoredLogKeys } from './log-key-store.ts'
import { fromStored, newestCheckpoint, type StoredCheckpoint } from './log-store.ts'
import { chainOf, LogForkedError, openHead } from './sign-head.ts'

/** Result of a rotation, for the operator to inform verifiers that pin the earlier key. */
export interface RotatedLogKey {
  readonly origin: string
  /** Leaves of the last checkpoint that the earlier key signs alone. */
  readonly treeSize: number
  /** Ed25519, the 32 raw bytes in base64. */
  readonly from: string
  readonly to: string
  /** The note that both keys signed. */
  readonly note: string
  /** End of cosigning by the earlier key. */
  readonly cosignedUntil: string
}

/**
 * Rotates the checkpoint signing key. Both keys sign a handover note. The new key, the retirement
 * and the note are one transaction, so a crash leaves exactly one valid key. A concurrent
 * checkpoint causes a retry.
 *
 * @throws AdministrationError if the current key has signed no checkpoint or is not the log's. Also
 * if the newest checkpoint does not match the log or its leaves, or after too many retries.
 */
export async function rotateLogKey(deployment: Deployment, now: number): Promise<RotatedLogKey> {
  for (let attempt = 1; attempt <= limits.databaseAttempts; attempt += 1) {
    try {
      return await replaceKey(deployment, now)
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
    }
  }
  throw new AdministrationError(
    'Each attempt met a new checkpoint or a replaced key. Run the command again.',
  )
}

interface Deployment {
  readonly database: Database
  readonly logKeys: SigningKeys
}

/** @throws ConflictError if a checkpoint was signed or the key was replaced since the read */
async function replaceKey({ database, logKeys }: Deployment, now: number): Promise<RotatedLogKey> {
  const [stored, head] = await Promise.all([
    readStoredLogKeys(database),
    newestCheckpoint(database),
  ])
  if (!stored || !head || head.treeSize <= (stored.handovers.at(-1)?.size ?? 0)) {
    throw new AdministrationError(
      'The log key has not signed a checkpoint yet, so it cannot be handed over.',
    )
  }
  const { origin, handovers } = stored
  const { treeSize, rootHash } = head
  requireOwnHead(stored, head)
  await requireRoot(database, head)
  const earlier = await logKeys.of(stored.inUse)
  const { key: later, statements } = logKeys.replacement(earlier, now)
  const note = signLogKeyHandover(
    { origin, size: treeSize, root: hexToBytes(rootHash.slice(2)) },
    ...([earlier, later] as const),
  )
  await database.global([
    lockLogKey,
    handoversAre(handovers.length),
    sql`select require_expected(max(tree_size) = ${treeSize}) from log_checkpoints`,
    ...statements,
    sql`insert into log_handovers (tree_size, note, handed_at) values (${treeSize}, ${note}, ${now})`,
  ])
  return {
    origin,
    treeSize,
    from: earlier.publicKey.raw,
    to: later.publicKey.raw,
    note,
    cosignedUntil: new Date(now + limits.logKeyOverlapMilliseconds).toISOString(),
  }
}

/**
 * @throws AdministrationError if no log key vouched for the current one, or the checkpoint has
 * another key
 */
function requireOwnHead(stored: StoredLogKeys, head: StoredCheckpoint): void {
  try {
    openHead(head, stored.origin, chainOf(stored).at(head.treeSize))
  } catch (error) {
    if (!(error instanceof LogForkedError)) throw error
    throw new AdministrationError(`${error.message} No data was changed; run verify-log.`)
  }
}

/**
 * The new key vouches for earlier signatures, so they must match the leaves. @throws
 * AdministrationError
 */
async function requireRoot(database: Database, { treeSize, rootHash }: StoredCheckpoint) {
  const [root] = await fromStored(database, [storedRoot(treeSize)])
  if (root === rootHash) return
  throw new AdministrationError(
    `The checkpoint of ${treeSize} leaves does not match. No data was changed; run verify-log.`,
  )
}

import {
  type Hash,
  hexToBytes,
  type LogKeys,
  openCheckpoint,
  printCheckpoint,
  signNote,
  storedConsistency,
  storedRoot,
  verifyConsistency,
} from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { StoreUnavailableError } from '../../../store/database/database.ts'
import { sql } from '../../../store/database/sql.ts'
import {
  chainLogKeys,
  readStoredLogKeys,
  restsOnHandovers,
  type StoredLogKeys,
} from './log-key-store.ts'
import {
  checkpointOf,
  fromStored,
  newestCheckpointStatement,
  type StoredCheckpoint,
  stateOf,
  stateStatement,
} from './log-store.ts'

/** The log does not extend a signed checkpoint, so it was changed or truncated. Signing stops. */
export class LogForkedError extends Error {}

interface Head {
  readonly size: number
  readonly root: Hash
}

/** Signs checkpoints with the keys of the log. */
export type HeadSigning = Pick<Services, 'clock' | 'database' | 'log' | 'logKeys'>

/** The last checkpoint that a process signed or saw signed; a database change cannot revert it. */
const remembered = new WeakMap<object, Head>()

/**
 * Signs a checkpoint if the log has grown. The new tree must extend the last stored checkpoint,
 * which must have the own signature, and the last one known to this process. Without both proofs it
 * does not sign.
 *
 * @throws LogForkedError
 */
export async function signHead(services: HeadSigning): Promise<void> {
  const { database, clock } = services
  const [states = [], checkpoints = []] = await database.proofLog([
    stateStatement,
    newestCheckpointStatement(),
  ])
  const state = stateOf(states[0])
  const stored = checkpoints[0] ? checkpointOf(checkpoints[0]) : null
  const known = remembered.get(services)
  if (!state) {
    if (known) throw new LogForkedError(`The log had ${known.size} leaves and is now missing.`)
    return
  }
  const { origin, size } = state
  const { keys, signers, handovers } = await signersOf(services)
  const before = stored === null ? null : openHead(stored, origin, keys.at(stored.treeSize))
  const [root] = await fromStored(database, [storedRoot(size)])
  if (root === undefined) throw new Error('The requested root is missing.')
  const head = { size, root }
  for (const earlier of [before, known])
    if (earlier) await requireContinued(services, earlier, head)
  remembered.set(services, head)
  if (before?.size === size) return
  const note = signNote(
    printCheckpoint({ origin, size, root: hexToBytes(root.slice(2)) }),
    origin,
    ...signers,
  )
  await database.proofLog([
    restsOnHandovers(handovers),
    sql`insert into log_checkpoints (tree_size, root_hash, note, signed_at)
      values (${size}, ${root}, ${note}, ${clock()})`,
  ])
}

/** Current signing key, recently retired keys, and the number of handovers behind them. */
async function signersOf(services: HeadSigning) {
  const { database, logKeys, clock } = services
  const now = clock()
  await logKeys.current(now)
  const storedKeys = await readStoredLogKeys(database)
  if (!storedKeys) throw new Error('The log has leaves and a key, but neither is stored.')
  const keys = chainOf(storedKeys)
  const earlier = storedKeys.handovers
    .filter(({ handedAt }) => now < handedAt + limits.logKeyOverlapMilliseconds)
    .map(({ size }) => keys.at(size))
  const cosigners = await Promise.all(earlier.map((one) => openEarlierKey(services, one)))
  const signers = [await logKeys.of(keys.current), ...cosigners.filter((one) => one !== null)]
  return { keys, signers, handovers: storedKeys.handovers.length }
}

/**
 * Null if the earlier key cannot be decrypted any more. The current key is sufficient for a
 * checkpoint.
 */
async function openEarlierKey(
  { logKeys, log }: Pick<Services, 'log' | 'logKeys'>,
  publicKey: string,
) {
  try {
    return await logKeys.of(publicKey)
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error
    log.warn({ err: error, publicKey }, 'An earlier key of the proof log can no longer sign.')
    return null
  }
}

/** @throws LogForkedError if no earlier key vouches for the current one */
export function chainOf(storedKeys: StoredLogKeys): LogKeys {
  try {
    return chainLogKeys(storedKeys)
  } catch (cause) {
    throw new LogForkedError('The keys of the log do not form a chain.', { cause })
  }
}

/**
 * Opens a stored checkpoint and verifies its signature. @throws LogForkedError if the signature is
 * not the log's
 */
export function openHead(stored: StoredCheckpoint, origin: string, publicKey: string): Head {
  try {
    const { size, root } = openCheckpoint(stored.note, origin, publicKey)
    const head = { size, root: `0x${Buffer.from(root).toString('hex')}` as Hash }
    if (head.size === stored.treeSize && head.root === stored.rootHash) return head
  } catch (cause) {
    throw new LogForkedError(
      `The checkpoint of ${stored.treeSize} leaves is not signed by this log.`,
      { cause },
    )
  }
  throw new LogForkedError(
    `The checkpoint of ${stored.treeSize} leaves differs from the signed one.`,
  )
}

async function requireContinued(
  { database }: Pick<Services, 'database'>,
  earlier: Head,
  head: Head,
): Promise<void> {
  if (head.size < earlier.size) {
    throw new LogForkedError(`The log had ${earlier.size} leaves and now has ${head.size}.`)
  }
  const [proof] = await fromStored(database, [storedConsistency(earlier.size, head.size)])
  if (proof && verifyConsistency(proof, earlier.root, head.root)) return
  throw new LogForkedError(`The log does not extend the checkpoint of ${earlier.size} leaves.`)
}

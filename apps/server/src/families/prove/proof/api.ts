import { noteKeyId } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { chainLogKeys, storedLogKeysOf, storedLogKeysStatement } from './log-key-store.ts'
import { checkpointOf, newestCheckpointStatement, waitingEvents } from './log-store.ts'

export { chainLogKeys, readStoredLogKeys } from './log-key-store.ts'
export {
  firstHeadOver,
  handoverConsistency,
  headsUpTo,
  type LoggedEvent,
  logConsistency,
  readLogged,
} from './read-logged.ts'

/**
 * Newest checkpoint of the log with its signing key, for public use; null before the first
 * signature.
 *
 * @throws NoteError if no earlier log key vouches for the current one
 */
export async function publishedHead({ database }: Pick<Services, 'database'>) {
  const [checkpoints = [], keyRows = []] = await database.global([
    newestCheckpointStatement(),
    storedLogKeysStatement,
  ])
  const [row, stored] = [checkpoints[0], storedLogKeysOf(keyRows)]
  if (!row || !stored) return null
  const { treeSize, rootHash, note, signedAt } = checkpointOf(row)
  const { origin } = stored
  const publicKey = chainLogKeys(stored).at(treeSize)
  return {
    origin,
    treeSize,
    rootHash,
    note,
    signedAt: new Date(signedAt).toISOString(),
    key: { name: origin, keyId: noteKeyId(origin, publicKey), publicKey },
    handovers: stored.handovers.map(({ note: handover }) => handover),
  }
}

/** Lag of the log behind committed events. */
export async function logLag({ database }: Pick<Services, 'database'>, now: number) {
  const { waiting, since } = await waitingEvents(database, limits.logBatchEvents)
  const lagSeconds = since === null ? 0 : Math.max(0, Math.floor((now - since) / 1000))
  const isStalled = lagSeconds > limits.logStalledSeconds
  return { state: isStalled ? ('DEGRADED' as const) : ('UP' as const), waiting, lagSeconds }
}

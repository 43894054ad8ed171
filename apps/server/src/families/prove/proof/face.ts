import { noteKeyId } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import { chainLogKeys, readKeptLogKeys } from './log-key-store.ts'
import {
  checkpointOf,
  newestCheckpointStatement,
  sizeOf,
  sizeStatement,
  waitingEvents,
} from './log-store.ts'

export { readKeptLogKeys } from './log-key-store.ts'
export {
  firstHeadOver,
  headsUpTo,
  type LoggedEvent,
  logConsistency,
  readLogged,
} from './read-logged.ts'

/** Newest head of the log with the key that signs it, for anybody; null where nothing was signed yet. */
export async function publishedHead({ database }: Services) {
  const [[states = [], checkpoints = []], stored] = await Promise.all([
    database.global([sizeStatement, newestCheckpointStatement()]),
    readKeptLogKeys(database),
  ])
  const [state, row] = [sizeOf(states[0]), checkpoints[0]]
  if (!state || !row || !stored) return null
  const { treeSize, rootHash, note, signedAt } = checkpointOf(row)
  const { origin } = state
  const publicKey = chainLogKeys(stored).at(treeSize)
  return {
    ...{ origin, treeSize, rootHash, note, signedAt: new Date(signedAt).toISOString() },
    key: { name: origin, keyId: noteKeyId(origin, publicKey), publicKey },
    handovers: stored.handovers.map(({ note: handover }) => handover),
  }
}

/** How far the log is behind what was committed. */
export async function logLag({ database }: Services, now: number) {
  const { waiting, since } = await waitingEvents(database, limits.logBatchEvents)
  const lagSeconds = since === null ? 0 : Math.max(0, Math.floor((now - since) / 1000))
  const isStalled = lagSeconds > limits.logStalledSeconds
  return { state: isStalled ? ('DEGRADED' as const) : ('UP' as const), waiting, lagSeconds }
}

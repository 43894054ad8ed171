import {
  type ConsistencyProof,
  cosignedAt,
  NoteError,
  type NoteSignature,
  parseNote,
  parseSignature,
  printSignature,
  storedConsistency,
} from '@liquidity-os/evidence'
import type { LogWitness } from '../../../config.ts'
import { OutboundError } from '../../../integrations/outbound/outbound-error.ts'
import { limits } from '../../../limits.ts'
import type { OutboundAnswer } from '../../../outbound.ts'
import type { Services } from '../../../services.ts'
import { sql } from '../../../store/database/sql.ts'
import { textBefore } from '../../../texts.ts'
import { fromStored, newestCheckpoint, type StoredCheckpoint } from './log-store.ts'

/** Result of a witness request: a code, which the metrics count. */
export type Witnessed =
  | { readonly outcome: 'COSIGNED' }
  /** Another process obtained a cosignature for a different checkpoint meanwhile. */
  | { readonly outcome: 'OVERTAKEN' }
  /**
   * The witness rejects the checkpoint: it has seen an inconsistent one, or does not know the log
   * or its key.
   */
  | { readonly outcome: 'REFUSED'; readonly detail: string }
  /** The response is not a cosignature of the checkpoint by the configured key. */
  | { readonly outcome: 'NOT_ITS_COSIGNATURE'; readonly detail: string }
  | { readonly outcome: 'UNREACHABLE'; readonly detail: string }

export const witnessOutcomes: readonly Witnessed['outcome'][] = [
  'COSIGNED',
  'OVERTAKEN',
  'REFUSED',
  'NOT_ITS_COSIGNATURE',
  'UNREACHABLE',
]

/**
 * The largest checkpoint that a witness is known to have seen. Its last response counts; it may
 * have seen others.
 */
export interface Seen {
  readonly size: number
}

/**
 * Requests a cosignature from a witness and stores it. The request states the stored last
 * checkpoint of the witness. If the witness reports a different one, the request is repeated once
 * with that size.
 *
 * @param seen tree size last cosigned by the witness, or 0
 * @see https://c2sp.org/tlog-witness, add-checkpoint
 */
export async function cosignHead(
  services: Pick<Services, 'database' | 'outbound'>,
  witness: LogWitness,
  head: StoredCheckpoint,
  { seen, signal }: { seen: Seen; signal: AbortSignal },
): Promise<Witnessed> {
  try {
    const first = await addCheckpoint(services, witness, head, { seen, signal })
    const statedSize = parseSize(first)
    if (statedSize === null) return keepLine(services, witness, head, first)
    if (statedSize > head.treeSize) {
      if (await hasHeadOf(services, statedSize)) return { outcome: 'OVERTAKEN' }
    }
    if (statedSize === seen.size || statedSize > head.treeSize) {
      const detail = `it reports ${statedSize} leaves, which matches no checkpoint that the one of ${head.treeSize} leaves extends`
      return { outcome: 'REFUSED', detail }
    }
    const second = await addCheckpoint(services, witness, head, {
      seen: { size: statedSize },
      signal,
    })
    const moved = parseSize(second)
    if (moved !== null && moved !== statedSize && (await hasHeadOf(services, moved))) {
      return { outcome: 'OVERTAKEN' }
    }
    return keepLine(services, witness, head, second)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { outcome: 'UNREACHABLE', detail: error.message }
  }
}

/**
 * True if this log has as many leaves as a checkpoint, so another process may have published it.
 */
async function hasHeadOf({ database }: Pick<Services, 'database'>, size: number): Promise<boolean> {
  const newest = await newestCheckpoint(database)
  return newest !== null && newest.treeSize >= size
}

async function addCheckpoint(
  { outbound, database }: Pick<Services, 'database' | 'outbound'>,
  { url }: LogWitness,
  { treeSize, note }: StoredCheckpoint,
  { seen, signal }: { seen: Seen; signal: AbortSignal },
): Promise<OutboundAnswer> {
  // Every tree continues the empty tree and itself without a proof.
  const isProven = seen.size > 0 && seen.size < treeSize
  const [proof] = isProven
    ? await fromStored(database, [storedConsistency(seen.size, treeSize)])
    : []
  const body = `old ${seen.size}\n${(proof?.path ?? []).map(printHash).join('')}\n${note}`
  return (await outbound()).request(`${url}/add-checkpoint`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body,
    timeoutMs: limits.logWitnessMilliseconds,
    maxBytes: limits.logWitnessAnswerBytes,
    signal,
  })
}

const printHash = (hash: ConsistencyProof['path'][number]) =>
  `${Buffer.from(hash.slice(2), 'hex').toString('base64')}\n`

/** Tree size that the witness reports as last seen; null if the response contains none. */
function parseSize({ status, headers, body }: OutboundAnswer): number | null {
  const type = headers['content-type']
  if (status !== 409 || type === undefined) return null
  if (textBefore(type, ';').trim() !== 'text/x.tlog.size') return null
  const text = Buffer.from(body).toString()
  const size = Number(text)
  return /^(0|[1-9][0-9]{0,15})\n$/.test(text) && Number.isSafeInteger(size) ? size : null
}

async function keepLine(
  { database }: Pick<Services, 'database'>,
  witness: LogWitness,
  { treeSize, note }: StoredCheckpoint,
  { status, body }: OutboundAnswer,
): Promise<Witnessed> {
  // During an outage, a proxy in front of the witness may respond instead.
  const isAway = status === 429 || status >= 500
  if (status !== 200) {
    return { outcome: isAway ? 'UNREACHABLE' : 'REFUSED', detail: `it returned HTTP ${status}` }
  }
  const { text } = parseNote(note)
  const own = readLines(Buffer.from(body).toString()).find(
    (line) => cosignedAt(text, line, witness) !== null,
  )
  if (!own) {
    const detail = `its response has no valid cosignature of ${witness.name} with the configured key`
    return { outcome: 'NOT_ITS_COSIGNATURE', detail }
  }
  const { name, publicKey } = witness
  await database.proofLog([
    sql`insert into log_cosignatures (tree_size, name, public_key, line)
      values (${treeSize}, ${name}, ${publicKey}, ${printSignature(own)})
      on conflict do nothing`,
  ])
  return { outcome: 'COSIGNED' }
}

/** Signatures of other keys and malformed lines are ignored. */
function readLines(answer: string): NoteSignature[] {
  return answer.split('\n').flatMap((line) => {
    try {
      return [parseSignature(line)]
    } catch (error) {
      if (!(error instanceof NoteError)) throw error
      return []
    }
  })
}

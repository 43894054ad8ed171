import {
  cosign,
  type Hash,
  importPublicKey,
  isSignedBy,
  merkleRoot,
  NoteError,
  noteKeyKinds,
  type PrivateKey,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  printSignature,
  type SignedNote,
  type VerifierKey,
  verifyConsistency,
} from '@liquidity-os/evidence'

/** The largest head of a log that a witness has cosigned. */
export interface CosignedHead {
  readonly size: number
  readonly root: Hash
}

/** State of a witness; `keep` returns once the head is durable. */
export interface Memory {
  read(origin: string): CosignedHead | null
  keep(origin: string, head: CosignedHead): void
}

export interface Answer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422
  readonly type: 'text/plain; charset=utf-8' | 'text/x.tlog.size'
  readonly body: string
}

/** Bytes of the longest request that is read: 63 hashes, and a note with many lines. */
export const maxRequestBytes = 16 * 1024

/**
 * A log witness as specified by c2sp.org/tlog-witness. Stores the keys and the largest head per
 * log. Cosigns only a head with a consistency proof from that one. One process owns the state and
 * handles one request at a time.
 */
export class Witness {
  readonly #name: string
  readonly #key: PrivateKey
  readonly #logs: readonly VerifierKey[]
  readonly #memory: Memory

  /**
   * @param logs log keys, `NAME+ID+KEY` of kind 1; several per name after a key rotation
   * @throws NoteError
   */
  constructor(name: string, key: PrivateKey, logs: readonly string[], memory: Memory) {
    this.#name = name
    this.#key = key
    this.#logs = logs.map((log) => parseVerifierKey(log, noteKeyKinds.signature))
    this.#memory = memory
  }

  /** @param seconds the time of the cosignature, since 1970 */
  addCheckpoint(request: string, seconds: number): Answer {
    const requested = readRequest(request)
    if (!requested) return refused(400, 'The request does not follow tlog-witness.')
    const { old, path, note, origin, head } = requested
    const keys = this.#logs.filter(({ name }) => name === origin)
    if (keys.length === 0) return refused(404, 'This witness does not know the log.')
    if (!keys.some(({ publicKey }) => isSignedBy(note, origin, importPublicKey(publicKey)))) {
      return refused(403, 'No known key of the log signed this checkpoint.')
    }
    if (old > head.size) return refused(400, 'The old size is larger than the checkpoint.')
    const last = this.#memory.read(origin) ?? emptyTree
    const isFork = old === head.size && head.root !== last.root
    if (old !== last.size || isFork) {
      return { status: 409, type: 'text/x.tlog.size', body: `${last.size}\n` }
    }
    if (!isContinued(last, head, path)) {
      return refused(422, 'The consistency proof does not extend the cosigned checkpoint.')
    }
    this.#memory.keep(origin, head)
    const line = printSignature(cosign(note.text, this.#name, this.#key, seconds))
    return { status: 200, type: 'text/plain; charset=utf-8', body: line }
  }
}

const emptyTree: CosignedHead = { size: 0, root: merkleRoot([]) }

function isContinued(last: CosignedHead, head: CosignedHead, path: readonly Hash[]): boolean {
  if (last.size === 0 || last.size === head.size) return path.length === 0
  const proof = { fromSize: last.size, treeSize: head.size, path }
  return verifyConsistency(proof, last.root, head.root)
}

interface CosignatureRequest {
  readonly old: number
  readonly path: readonly Hash[]
  readonly note: SignedNote
  readonly origin: string
  readonly head: CosignedHead
}

/** Null unless the request has exactly the specified form. */
function readRequest(request: string): CosignatureRequest | null {
  const split = request.indexOf('\n\n')
  const [first = '', ...hashes] = request.slice(0, Math.max(0, split)).split('\n')
  const [, size] = /^old (0|[1-9][0-9]{0,15})$/.exec(first) ?? []
  const path = hashes.flatMap((line) => readHash(line) ?? [])
  const isRead = path.length === hashes.length && path.length <= maxHashes
  if (size === undefined || !Number.isSafeInteger(Number(size)) || !isRead) return null
  try {
    const note = parseNote(request.slice(split + 2))
    const checkpoint = parseCheckpoint(note.text)
    const head = { size: checkpoint.size, root: printHash(checkpoint.root) }
    return { old: Number(size), path, note, origin: checkpoint.origin, head }
  } catch (error) {
    if (!(error instanceof NoteError)) throw error
    return null
  }
}

const maxHashes = 63

function readHash(line: string): Hash | null {
  const bytes = Buffer.from(line, 'base64')
  return bytes.length === 32 && bytes.toString('base64') === line ? printHash(bytes) : null
}

const printHash = (bytes: Uint8Array): Hash => `0x${Buffer.from(bytes).toString('hex')}`

const refused = (status: 400 | 403 | 404 | 422, why: string): Answer => ({
  status,
  type: 'text/plain; charset=utf-8' as const,
  body: `${why}\n`,
})

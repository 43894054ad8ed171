import { importPublicKey, type PrivateKey, type PublicKey } from './signature.ts'
import { isSignedBy, NoteError, parseNote, type SignedNote, signNote } from './signed-note.ts'

/**
 * The successive keys of a log. For a handover both keys sign a note with the last size of the
 * earlier key and the root at this size. A verifier with either key thus learns the other key, and
 * only the holder of both can create the note. Later signatures of the earlier key cannot rewrite
 * the log, because the root fixes its content.
 */

/** One key takes the place of another. */
export interface LogKeyHandover {
  /** Name of the log. */
  readonly origin: string
  /** Leaves of the last head that the earlier key signs alone; every later head is signed by the later key. */
  readonly size: number
  /**
   * Root of the tree with `size` leaves, 32 bytes; null in notes of the first format, which have no
   * root.
   */
  readonly root: Uint8Array | null
  /** The earlier key: 32 raw bytes in base64. */
  readonly from: string
  /** The later key: 32 raw bytes in base64. */
  readonly to: string
}

/** The first line distinguishes the note from a checkpoint, whose second line is a number. */
const domain = 'liquidity-os/log-key-handover/v2'
/** First format, without a root. Still accepted, but no longer created. */
const rootlessDomain = 'liquidity-os/log-key-handover/v1'

/** The note, signed by both keys under the name of the log. @throws NoteError where it would be read back as something else */
export function signLogKeyHandover(
  { origin, size, root }: { origin: string; size: number; root: Uint8Array },
  earlier: PrivateKey,
  later: PrivateKey,
): string {
  const keys = [earlier.publicKey.raw, later.publicKey.raw]
  const text = `${[domain, origin, size, Buffer.from(root).toString('base64'), ...keys].join('\n')}\n`
  const note = signNote(text, origin, earlier, later)
  openLogKeyHandover(note, origin)
  return note
}

/**
 * @throws NoteError unless the note is of the log `origin` and signed by both keys that it names
 */
export function openLogKeyHandover(note: string, origin: string): LogKeyHandover {
  const signed = parseNote(note)
  const [head, named, size = '', ...more] = signed.text.split('\n')
  const root = head === domain ? readRoot(more.shift()) : null
  const [from = '', to = '', end] = more
  const isOne = head === domain || head === rootlessDomain
  if (!isOne || named !== origin || end !== '' || more.length !== 3) {
    throw new NoteError(`The note is not a key handover of ${origin}.`)
  }
  if (!/^[1-9][0-9]{0,15}$/.test(size) || !Number.isSafeInteger(Number(size)) || from === to) {
    throw new NoteError('The note has no size, or names the same key twice.')
  }
  for (const key of [from, to]) requireSigned(signed, origin, key)
  return { origin, size: Number(size), root, from, to }
}

function readRoot(encoded = ''): Uint8Array {
  const root = Buffer.from(encoded, 'base64')
  if (root.length === 32 && root.toString('base64') === encoded) return new Uint8Array(root)
  throw new NoteError('The note has no valid root of the tree.')
}

function requireSigned(note: SignedNote, origin: string, publicKey: string): void {
  if (!isSignedBy(note, origin, readKey(publicKey))) {
    throw new NoteError(`The key ${publicKey} did not sign its handover.`)
  }
}

function readKey(publicKey: string): PublicKey {
  try {
    return importPublicKey(publicKey)
  } catch (cause) {
    throw new NoteError(`The note contains a malformed key: ${publicKey}.`, { cause })
  }
}

/** The keys of a log in their order. */
export class LogKeys {
  readonly #first: string
  readonly #handovers: readonly LogKeyHandover[]

  /**
   * @param first the log's key if no handover exists: 32 raw bytes in base64
   * @throws NoteError unless the notes form a chain: each begins with the final key of the previous
   * one, at a later size
   */
  constructor(origin: string, first: string, notes: readonly string[]) {
    this.#handovers = notes.map((note) => openLogKeyHandover(note, origin))
    this.#first = this.#handovers[0]?.from ?? first
    for (const [index, { from, size }] of this.#handovers.entries()) {
      const before = this.#handovers[index - 1]
      if (before && (before.to !== from || before.size >= size)) {
        throw new NoteError(`The key ${from} is handed over but was not the key of the log.`)
      }
    }
  }

  /** Handovers, oldest first. */
  get handovers(): readonly LogKeyHandover[] {
    return this.#handovers
  }

  /** The key that signs now. */
  get current(): string {
    return this.#handovers.at(-1)?.to ?? this.#first
  }

  /** The key that must sign the head with `size` leaves. */
  at(size: number): string {
    return this.#handovers.findLast((one) => one.size < size)?.to ?? this.#first
  }
}

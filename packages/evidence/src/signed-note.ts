import { sign as signBytes } from 'node:crypto'
import { sha256 } from './hash.ts'
import { bytesToHex } from './hex.ts'
import {
  InvalidKeyError,
  importPublicKey,
  type PrivateKey,
  type PublicKey,
  verifyRaw,
} from './signature.ts'

/**
 * Signed notes and checkpoints, as logs, witnesses and monitors exchange them.
 *
 * @see https://c2sp.org/signed-note, https://c2sp.org/tlog-checkpoint, https://c2sp.org/tlog-proof
 */

/** One line of signature under a note. */
export interface NoteSignature {
  readonly name: string
  /** Four bytes in hex that identify a key among those with the same name. */
  readonly keyId: string
  /** Bytes after the key id; their format depends on the key type. */
  readonly signature: Uint8Array
}

export interface SignedNote {
  /** Signed text; ends with a line feed. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** The head of a log: the content of a checkpoint. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  /** 32 bytes. */
  readonly root: Uint8Array
}

/**
 * Signature types of an Ed25519 key under a note: a plain signature, or a cosignature with its
 * time.
 */
export const noteKeyKinds = { signature: 0x01, cosignature: 0x04 } as const
export type NoteKeyKind = (typeof noteKeyKinds)[keyof typeof noteKeyKinds]

/**
 * Which key of a name: the first four bytes of SHA-256(name ‖ 0x0A ‖ kind ‖ public key), in hex.
 *
 * @param publicKey the 32 raw bytes in base64
 */
export function noteKeyId(
  name: string,
  publicKey: string,
  kind: NoteKeyKind = noteKeyKinds.signature,
): string {
  const head = new TextEncoder().encode(`${name}\n`)
  const raw = Buffer.from(publicKey, 'base64')
  return bytesToHex(sha256(Buffer.concat([head, Uint8Array.of(kind), raw])).subarray(0, 4))
}

/** A key as readers of notes are given it. */
export interface VerifierKey {
  readonly name: string
  /** Four bytes in hex. */
  readonly keyId: string
  /** The 32 raw bytes in base64. */
  readonly publicKey: string
}

/** `name+id+base64(kind ‖ public key)`. @see https://c2sp.org/signed-note, verifier keys */
export function printVerifierKey(name: string, publicKey: string, kind: NoteKeyKind): string {
  if (!namePattern.test(name)) throw new NoteError(`Not a key name: ${name}.`)
  const key = Buffer.concat([Uint8Array.of(kind), Buffer.from(publicKey, 'base64')])
  return `${name}+${noteKeyId(name, publicKey, kind)}+${key.toString('base64')}`
}

/** @throws NoteError for text that is not a printed key of this type */
export function parseVerifierKey(text: string, kind: NoteKeyKind): VerifierKey {
  // A key in base64 may hold the plus sign itself.
  const [, name = '', keyId = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? []
  const publicKey = Buffer.from(encoded, 'base64').subarray(1).toString('base64')
  const isKey = isPublicKey(publicKey)
  if (!isKey || !namePattern.test(name) || printVerifierKey(name, publicKey, kind) !== text) {
    throw new NoteError('Not a key of this kind in the form NAME+ID+KEY.')
  }
  return { name, keyId, publicKey }
}

function isPublicKey(raw: string): boolean {
  try {
    importPublicKey(raw)
    return true
  } catch (error) {
    if (error instanceof InvalidKeyError) return false
    throw error
  }
}

/** Signs a note as the holder of an Ed25519 key under a name, or of several that have the name one after the other. */
export function signNote(text: string, name: string, ...keys: readonly PrivateKey[]): string {
  const signatures = keys.map((key) => ({
    name,
    keyId: noteKeyId(name, key.publicKey.raw),
    signature: signBytes(null, Buffer.from(text), key.key),
  }))
  return printNote({ text, signatures })
}

/** @throws NoteError where the text or a name would be read back as something else */
export function printNote({ text, signatures }: SignedNote): string {
  if (!text.endsWith('\n')) throw new NoteError('The text of a note must end with a line feed.')
  return `${text}\n${signatures.map(printSignature).join('')}`
}

/** One line under a note, with its line feed. @throws NoteError where the name would be read back as something else */
export function printSignature({ name, keyId, signature }: NoteSignature): string {
  if (!namePattern.test(name)) throw new NoteError(`Not a key name: ${name}.`)
  const bytes = Buffer.concat([Buffer.from(keyId, 'hex'), signature])
  return `— ${name} ${bytes.toString('base64')}\n`
}

/** @throws NoteError for text that does not match the signed note format exactly */
export function parseNote(note: string): SignedNote {
  const split = note.lastIndexOf('\n\n')
  if (split < 0 || !note.endsWith('\n')) throw new NoteError('Not a note with signatures.')
  // Control characters would let two readers see two texts.
  if ([...note].some((one) => one < ' ' && one !== '\n')) {
    throw new NoteError('A note must not contain control characters.')
  }
  const lines = note.slice(split + 2, -1).split('\n')
  return { text: note.slice(0, split + 1), signatures: lines.map(parseSignature) }
}

/** @throws NoteError for anything but one line under a note, without its line feed */
export function parseSignature(line: string): NoteSignature {
  const [, name, encoded] = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? []
  const bytes = Buffer.from(encoded ?? '', 'base64')
  if (name === undefined || bytes.toString('base64') !== encoded || bytes.length < 5) {
    throw new NoteError('A line after the note text is not a signature.')
  }
  const keyId = bytesToHex(bytes.subarray(0, 4))
  return { name, keyId, signature: new Uint8Array(bytes.subarray(4)) }
}

/** Whether a note has a signature by a key with a given name. */
export function isSignedBy(note: SignedNote, name: string, key: PublicKey): boolean {
  const keyId = noteKeyId(name, key.raw)
  const own = note.signatures.filter((line) => line.name === name && line.keyId === keyId)
  return own.length === 1 && verifyRaw(key, Buffer.from(note.text), own[0]?.signature ?? null)
}

/** `origin\nsize\nbase64(root)\n`, the text that the log signs. */
export function printCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`
}

/**
 * Reads the text of a note as a checkpoint. Ignores further lines, which are extensions.
 *
 * @throws NoteError
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', encoded = ''] = text.split('\n')
  const root = Buffer.from(encoded, 'base64')
  const isSize = /^(0|[1-9][0-9]{0,15})$/.test(size) && Number.isSafeInteger(Number(size))
  if (origin === '' || !isSize || root.length !== 32 || root.toString('base64') !== encoded) {
    throw new NoteError('The text of the note is not a checkpoint.')
  }
  return { origin, size: Number(size), root: new Uint8Array(root) }
}

/** A note that is a checkpoint of the log with this name, signed by its key. @throws NoteError */
export function openCheckpoint(note: string, origin: string, publicKey: string): Checkpoint {
  const signed = parseNote(note)
  const checkpoint = parseCheckpoint(signed.text)
  if (checkpoint.origin !== origin) {
    throw new NoteError(`The checkpoint belongs to ${checkpoint.origin}, not to ${origin}.`)
  }
  if (!isSignedBy(signed, origin, importPublicKey(publicKey))) {
    throw new NoteError(`The checkpoint is not signed by the key of ${origin}.`)
  }
  return checkpoint
}

/** A proof that needs no connection: place and path of an entry, and the checkpoint that it leads to. */
export interface LogProof {
  readonly leafIndex: number
  readonly path: readonly Uint8Array[]
  /** The unmodified signed note. */
  readonly checkpoint: string
  /** Bytes that the proof does not prove; here those of the leaf. */
  readonly extra?: Uint8Array
}

export function printLogProof({ leafIndex, path, checkpoint, extra }: LogProof): string {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const head = [
    'c2sp.org/tlog-proof@v1',
    ...(extra ? [`extra ${base64(extra)}`] : []),
    `index ${leafIndex}`,
    ...path.map(base64),
  ]
  return `${head.join('\n')}\n\n${checkpoint}`
}

/** The text is no signed note, or its signer is not the expected one. */
export class NoteError extends Error {
  override readonly name = 'NoteError'
}

/** No white space and no plus sign, which separates name and key where a verifier is configured. */
const namePattern = /^[^\s+]+$/u

import { sign as signBytes } from 'node:crypto'
import { importPublicKey, type PrivateKey, verifyRaw } from './signature.ts'
import { type NoteSignature, noteKeyId, noteKeyKinds, type VerifierKey } from './signed-note.ts'

/**
 * Cosignatures of witnesses. A party other than the log states under a checkpoint when it saw this
 * head. The head was the log's largest and continues all heads that the witness saw before.
 *
 *     message   = "cosignature/v1\n" ‖ "time " ‖ T ‖ "\n" ‖ text of the note
 *     signature = uint64(T), big-endian ‖ Ed25519(message)
 *
 * @see https://c2sp.org/tlog-cosignature, Ed25519
 */

/**
 * Signs the text of a checkpoint as a witness.
 *
 * @param text the note above its empty line, including its last line feed
 * @param seconds time of observation by the witness, since 1970
 */
export function cosign(
  text: string,
  name: string,
  key: PrivateKey,
  seconds: number,
): NoteSignature {
  const time = Buffer.alloc(timeBytes)
  time.writeBigUInt64BE(BigInt(seconds))
  const signature = signBytes(null, messageOf(text, BigInt(seconds)), key.key)
  return {
    name,
    keyId: noteKeyId(name, key.publicKey.raw, noteKeyKinds.cosignature),
    signature: Buffer.concat([time, signature]),
  }
}

/**
 * Time when a witness saw the head in a text, in seconds since 1970. Null if the line is not a
 * valid cosignature by the witness.
 *
 * @param witness its cosignature key
 */
export function cosignedAt(
  text: string,
  line: NoteSignature,
  { name, keyId, publicKey }: VerifierKey,
): number | null {
  if (line.name !== name || line.keyId !== keyId) return null
  if (line.signature.length !== timeBytes + ed25519Bytes) return null
  const bytes = Buffer.from(line.signature)
  const seconds = bytes.readBigUInt64BE()
  if (seconds > BigInt(Number.MAX_SAFE_INTEGER)) return null
  const isIts = verifyRaw(
    importPublicKey(publicKey),
    messageOf(text, seconds),
    bytes.subarray(timeBytes),
  )
  return isIts ? Number(seconds) : null
}

const timeBytes = 8
const ed25519Bytes = 64

const messageOf = (text: string, seconds: bigint) =>
  Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`)

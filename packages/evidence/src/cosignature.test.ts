import { describe, expect, it } from 'vitest'
import { cosign, cosignedAt } from './cosignature.ts'
import { importPrivateKey } from './signature.ts'
import {
  NoteError,
  noteKeyKinds,
  parseSignature,
  parseVerifierKey,
  printCheckpoint,
  printSignature,
  printVerifierKey,
} from './signed-note.ts'

const { signature: signing, cosignature: cosigning } = noteKeyKinds

/** The key of the golden values: a seed of 32 zero bytes. */
const key = importPrivateKey(
  Buffer.from(`302e020100300506032b657004220420${'00'.repeat(32)}`, 'hex').toString('base64'),
)
const name = 'witness.example/w1'
const vkey = printVerifierKey(name, key.publicKey.raw, cosigning)
const witness = parseVerifierKey(vkey, cosigning)
const text = printCheckpoint({
  origin: 'example.org/liquidity-os/log',
  size: 3,
  root: Buffer.from('09d89f631edf6aaa1627d7bc8b6f1551c64d354fcb0d9fe027970edde8a19350', 'hex'),
})
const at = Date.parse('2027-01-01T00:00:00Z') / 1000

describe('a cosignature', () => {
  it('equals the original line for any writer', () => {
    expect(vkey).toBe('witness.example/w1+e42b2f2c+BDtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop')
    expect(printSignature(cosign(text, name, key, at))).toBe(
      `— witness.example/w1 5CsvLAAAAABrNuyA5w0RMUvghD749b+CoQPjtSKo7RW6zrP7XGnPrtUadedO2UsGX+/+HSWEex+GiTW0oMJDwAuyNzDuxt6EYQHaBA==\n`,
    )
  })

  it('contains its time, and is bound to the text, the time, the name and the key', () => {
    const line = parseSignature(printSignature(cosign(text, name, key, at)).trimEnd())
    expect(cosignedAt(text, line, witness)).toBe(at)
    expect(cosignedAt(text.replace('\n3\n', '\n4\n'), line, witness)).toBeNull()
    expect(cosignedAt(text, { ...line, name: 'witness.example/w2' }, witness)).toBeNull()
    expect(cosignedAt(text, { ...line, keyId: '00000000' }, witness)).toBeNull()
    for (const [index] of line.signature.entries()) {
      const signature = line.signature.with(index, (line.signature[index] ?? 0) ^ 1)
      expect(cosignedAt(text, { ...line, signature }, witness), `byte ${index}`).toBeNull()
    }
    const longer = Buffer.concat([line.signature, Uint8Array.of(0)])
    expect(cosignedAt(text, { ...line, signature: longer }, witness)).toBeNull()
  })
})

describe('the key of a witness', () => {
  it.each([
    ['of the other kind', printVerifierKey(name, key.publicKey.raw, signing)],
    ['under another name', vkey.replace('w1', 'w2')],
    ['with another id', vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')],
    ['that is too short', vkey.slice(0, -4)],
    ['with white space in its name', vkey.replace('witness', 'wit ness')],
    ['that is nothing', ''],
  ])('is not read from one %s', (_, given) => {
    expect(() => parseVerifierKey(given, cosigning)).toThrow(NoteError)
  })

  it('has no name that would be read back as something else', () => {
    expect(() => printVerifierKey('a+b', key.publicKey.raw, cosigning)).toThrow(NoteError)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { H } from './hash.ts'
import { bytesToHex, hexToBytes } from './hex.ts'
import { merkleLeafHash, merkleRoot } from './merkle.ts'
import { proofLeaf } from './proof-leaf.ts'
import { importPrivateKey, sign } from './signature.ts'
import {
  isSignedBy,
  NoteError,
  noteKeyId,
  openCheckpoint,
  parseCheckpoint,
  parseNote,
  printCheckpoint,
  printLogProof,
  printNote,
  signNote,
} from './signed-note.ts'

/** The key of the golden values: a seed of 32 zero bytes. */
const key = importPrivateKey(
  Buffer.from(`302e020100300506032b657004220420${'00'.repeat(32)}`, 'hex').toString('base64'),
)
const origin = 'example.org/liquidity-os/log'
const loggedAt = Date.parse('2027-01-01T00:00:00Z') / 1000
const leaves = ['1', '2', '3'].map((digit) => proofLeaf(`0x${digit.repeat(64)}`, loggedAt))

describe('golden values', () => {
  it('has the leaf and the root of three leaves', () => {
    expect(merkleLeafHash(leaves[0]!)).toBe(
      '0x979d897d41b0288eba890ca91388cd765f7c802a299ea8c63a06dd0245d7baa7',
    )
    expect(merkleRoot(leaves)).toBe(
      '0x09d89f631edf6aaa1627d7bc8b6f1551c64d354fcb0d9fe027970edde8a19350',
    )
  })

  it('has the id of the key under its name', () => {
    expect(noteKeyId(origin, key.publicKey.raw)).toBe('cd735846')
  })

  it('has the hash and the signature of the smallest passport', () => {
    const passport = { passportVersion: 'liquidity-passport-v1', slug: 'demo' }
    const contentHash = H('liquidity-passport/v1', passport)
    expect(contentHash).toBe('0xe112e5d87a86afe198b625ee8dc86504ecb06268a03850cf7477becb7651ee31')
    expect(sign(key, 'liquidity-passport-signature/v1', { ...passport, contentHash })).toBe(
      'C0Akst++pC8NFljEW/+BUXmVGadl5vgHQ7FKIa2uf7pt+I6432TyUJH99e1L6lRqUoshaSEuGJcnZsoBFnSHDA==',
    )
  })
})

describe('a signed checkpoint', () => {
  const root = hexToBytes(merkleRoot(leaves).slice(2))
  const note = signNote(printCheckpoint({ origin, size: 3, root }), origin, key)

  it('is read back as signed', () => {
    expect(note.split('\n').slice(0, 3)).toEqual([
      origin,
      '3',
      'CdifYx7faqoWJ9e8i28VUcZNNU/LDZ/gJ5cO3eihk1A=',
    ])
    const opened = openCheckpoint(note, origin, key.publicKey.raw)
    expect({ ...opened, root: bytesToHex(opened.root) }).toEqual({
      origin,
      size: 3,
      root: bytesToHex(root),
    })
  })

  it('keeps the lines of others, and is bound to its name, its key and every byte of its text', () => {
    const { text, signatures } = parseNote(note)
    const witness = { name: 'witness.example', keyId: '01020304', signature: new Uint8Array(72) }
    const cosigned = printNote({ text, signatures: [...signatures, witness] })
    expect(isSignedBy(parseNote(cosigned), origin, key.publicKey)).toBe(true)
    expect(isSignedBy(parseNote(note), 'example.org/another', key.publicKey)).toBe(false)
    expect(isSignedBy(parseNote(note.replace('\n3\n', '\n4\n')), origin, key.publicKey)).toBe(false)
    const twice = printNote({ text, signatures: [...signatures, ...signatures] })
    expect(isSignedBy(parseNote(twice), origin, key.publicKey)).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['no signature', printCheckpoint({ origin, size: 3, root })],
    ['a signature that is no base64', `${printCheckpoint({ origin, size: 3, root })}\n— a b!\n`],
    ['a line without its end', note.slice(0, -1)],
    ['a carriage return', note.replace('\n', '\r\n')],
  ])('is not read from %s', (_, text) => {
    expect(() => parseNote(text)).toThrow(NoteError)
  })

  it.each([['-1'], ['03'], ['1e3'], ['9007199254740993']])('has no size %s', (size) => {
    expect(() => parseCheckpoint(`${origin}\n${size}\n${'A'.repeat(43)}=\n`)).toThrow(NoteError)
  })

  it('ends a proof of inclusion', () => {
    const path = [root, root]
    const text = printLogProof({ leafIndex: 2, path, checkpoint: note, extra: leaves[2]! })
    const base64 = Buffer.from(root).toString('base64')
    const extra = Buffer.from(leaves[2]!).toString('base64')
    expect(text).toBe(
      `c2sp.org/tlog-proof@v1\nextra ${extra}\nindex 2\n${base64}\n${base64}\n\n${note}`,
    )
  })
})

describe('any text at all', () => {
  const sound = signNote(
    printCheckpoint({ origin, size: 3, root: new Uint8Array(32) }),
    origin,
    key,
  )
  /** A sound note in which one piece is another, and anything else. */
  const notes = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .record({
        at: fc.nat(sound.length),
        length: fc.nat(6),
        piece: fc.string({ unit: 'binary', maxLength: 4 }),
      })
      .map(({ at, length, piece }) => sound.slice(0, at) + piece + sound.slice(at + length)),
    fc
      .array(fc.constantFrom('\n', '\n\n', '— a AAAAAAA=', '— a AAAAAAB=', 'x', ' ', '—'), {
        maxLength: 12,
      })
      .map((parts) => parts.join('')),
  )

  it('is rejected, or printed again unchanged', () => {
    let parsed = 0
    fc.assert(
      fc.property(notes, (text) => {
        const note = noteOf(text)
        if (note === null) return
        parsed += 1
        expect(printNote(note)).toBe(text)
      }),
      { numRuns: 5_000, seed: 7 },
    )
    expect(parsed).toBeGreaterThan(100)
  })

  it('that was changed anywhere is not signed by the key', () => {
    fc.assert(
      fc.property(notes, (text) => {
        if (text === sound) return
        const note = noteOf(text)
        // Another signature beside it, under whatever name, takes nothing from what was signed.
        if (note !== null && isSignedBy(note, origin, key.publicKey)) {
          expect(note.text).toBe(parseNote(sound).text)
        }
      }),
      { numRuns: 5_000, seed: 8 },
    )
  })
})

/** The note that a text is; null where it is none, and nothing else is thrown. */
function noteOf(text: string) {
  try {
    return parseNote(text)
  } catch (error) {
    expect(error).toBeInstanceOf(NoteError)
    return null
  }
}

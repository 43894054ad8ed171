import { describe, expect, it } from 'vitest'
import { LogKeys, openLogKeyHandover, signLogKeyHandover } from './log-keys.ts'
import { generatePrivateKey } from './signature.ts'
import { NoteError, openCheckpoint, parseNote, printNote, signNote } from './signed-note.ts'

const origin = 'liquidity.example/liquidity-os/log'
const [first, second, third] = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()]
const raw = (key: typeof first) => key.publicKey.raw
const root = new Uint8Array(32).fill(9)
const notes = [
  signLogKeyHandover({ origin, size: 7, root }, first, second),
  signLogKeyHandover({ origin, size: 40, root }, second, third),
]

describe('the keys of a log', () => {
  it('are each in force from the leaf behind the one at which it was handed over', () => {
    const keys = new LogKeys(origin, raw(first), notes)
    const found = [1, 7, 8, 40, 41].map((size) => keys.at(size))
    expect(found).toEqual([first, first, second, second, third].map(raw))
    expect(keys.current).toBe(raw(third))
    expect(new LogKeys(origin, raw(first), []).at(9)).toBe(raw(first))
  })

  it('are handed over by a note that both signed, and that is no checkpoint', () => {
    const [note = ''] = notes
    expect(openLogKeyHandover(note, origin)).toEqual({
      origin,
      size: 7,
      root,
      from: raw(first),
      to: raw(second),
    })
    expect(() => openCheckpoint(note, 'liquidity-os/log-key-handover/v2', raw(first))).toThrow(
      NoteError,
    )
  })

  it('are not handed over by one of them, by another, at another log, or at another size', () => {
    const [note = ''] = notes
    const { text, signatures } = parseNote(note)
    for (const index of [0, 1]) {
      const alone = printNote({ text, signatures: signatures.filter((_, at) => at !== index) })
      expect(() => openLogKeyHandover(alone, origin)).toThrow('did not sign')
    }
    const foreignNote = signNote(text, origin, third, second)
    expect(() => openLogKeyHandover(foreignNote, origin)).toThrow('did not sign')
    expect(() => openLogKeyHandover(note, `${origin}2`)).toThrow(NoteError)
    expect(() => openLogKeyHandover(note.replace('\n7\n', '\n6\n'), origin)).toThrow('did not sign')
    expect(() => signLogKeyHandover({ origin, size: 7, root }, first, first)).toThrow(
      'the same key twice',
    )
  })

  it('a handover without a root is reported', () => {
    const text = `liquidity-os/log-key-handover/v1\n${origin}\n7\n${raw(first)}\n${raw(second)}\n`
    const note = signNote(text, origin, first, second)
    expect(openLogKeyHandover(note, origin).root).toBeNull()
    const keys = new LogKeys(origin, raw(first), [note, notes[1] ?? ''])
    expect(keys.handovers.map((one) => one.root)).toEqual([null, root])
    expect(keys.current).toBe(raw(third))
  })

  it('are handed over with the root of a tree', () => {
    const { text } = parseNote(notes[0] ?? '')
    const encoded = Buffer.from(root).toString('base64')
    for (const broken of ['', 'x', encoded.slice(0, -4), `${encoded}\n${encoded}`]) {
      const note = signNote(text.replace(encoded, broken), origin, first, second)
      expect(() => openLogKeyHandover(note, origin)).toThrow(NoteError)
    }
    const other = (notes[0] ?? '').replace(encoded, Buffer.alloc(32).toString('base64'))
    expect(() => openLogKeyHandover(other, origin)).toThrow('did not sign')
    expect(() =>
      signLogKeyHandover({ origin, size: 7, root: root.slice(1) }, first, second),
    ).toThrow(NoteError)
  })

  it('are keys', () => {
    const text = `liquidity-os/log-key-handover/v1\n${origin}\n7\nx\n${raw(second)}\n`
    const note = signNote(text, origin, first, second)
    expect(() => openLogKeyHandover(note, origin)).toThrow(NoteError)
  })

  it('are a chain', () => {
    const reversed = notes.toReversed()
    expect(() => new LogKeys(origin, raw(first), reversed)).toThrow('was not the key of the log')
    const branch = signLogKeyHandover({ origin, size: 50, root }, first, third)
    expect(() => new LogKeys(origin, raw(first), [...notes, branch])).toThrow(NoteError)
    const early = signLogKeyHandover({ origin, size: 7, root }, second, third)
    expect(() => new LogKeys(origin, raw(first), [notes[0] ?? '', early])).toThrow(NoteError)
  })
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '../../limits.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** A response with deeper nesting or more members than any valid one. */
export class AnswerStructureError extends Error {
  override readonly name = 'AnswerStructureError'
}

/**
 * Checks the structure of JSON text as it arrives, before parsing: a few megabytes of `[],[],…`
 * become a gigabyte of objects. Text that is not JSON passes here and fails in the parser.
 */
export class StructureScan {
  #depth = 0
  #members = 0
  #isInText = false
  #isEscaped = false

  /** @throws AnswerStructureError */
  feed(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#isEscaped) {
        this.#isEscaped = false
        continue
      }
      const byte = bytes[at] as number
      if (this.#isInText) {
        if (byte === backslash) this.#isEscaped = true
        else if (byte === quote) this.#isInText = false
      } else if (byte === quote) {
        this.#isInText = true
      } else if (byte === comma || isOpening(byte)) {
        this.#count(byte === comma ? 0 : 1)
      } else if (isClosing(byte)) {
        this.#depth -= 1
      }
    }
  }

  #count(deeper: 0 | 1): void {
    this.#depth += deeper
    this.#members += 1
    if (this.#depth > limits.chainAnswerNesting) throw new AnswerStructureError()
    if (this.#members > limits.chainAnswerMembers) throw new AnswerStructureError()
  }
}

/**
 * Parses JSON piece by piece, with event loop turns between the pieces, so a large response does
 * not block other requests. The value equals that of `JSON.parse`; of duplicate members the last
 * wins.
 *
 * @throws SyntaxError
 */
export async function parseInTurns(bytes: Buffer): Promise<unknown> {
  if (bytes.length <= limits.chainAnswerPieceBytes) return JSON.parse(bytes.toString())
  const start = bytes.findIndex((byte) => !isSpace(byte))
  const end = bytes.findLastIndex((byte) => !isSpace(byte))
  const first = bytes[start]
  if (first === undefined || !isOpening(first)) return JSON.parse(bytes.toString())
  const isList = first === 0x5b
  if (bytes[end] !== (isList ? 0x5d : 0x7d)) throw new SyntaxError('The response is truncated.')
  const inner = bytes.subarray(start + 1, end)
  if (inner.every(isSpace)) return isList ? [] : {}
  return isList ? parseList(inner) : parseMembers(inner)
}

async function parseList(inner: Buffer): Promise<unknown[]> {
  const values: unknown[] = []
  // Short items are parsed in groups; each long item is parsed separately.
  let grouped = 0
  let from = 0
  const parseGroup = async (to: number) => {
    await nextTurn()
    if (to > grouped) values.push(...JSON.parse(`[${inner.toString('utf8', grouped, to)}]`))
  }
  const take = async (to: number) => {
    const item = inner.subarray(from, to)
    if (item.every(isSpace)) throw new SyntaxError('An item is missing.')
    if (item.length > limits.chainAnswerPieceBytes) {
      await parseGroup(from - 1)
      values.push(await parseInTurns(item))
      grouped = to + 1
    } else if (to - grouped > limits.chainAnswerPieceBytes) {
      await parseGroup(to)
      grouped = to + 1
    }
    from = to + 1
  }
  for (const at of separators(inner)) {
    if (at === null) await nextTurn()
    else if (inner[at] === comma) await take(at)
  }
  await take(inner.length)
  await parseGroup(inner.length)
  return values
}

async function parseMembers(inner: Buffer): Promise<object> {
  const members: [string, unknown][] = []
  let from = 0
  let named: number | null = null
  const take = async (to: number) => {
    if (named === null) throw new SyntaxError('A field has no name.')
    const name: unknown = JSON.parse(inner.toString('utf8', from, named))
    if (typeof name !== 'string') throw new SyntaxError('A name is not a string.')
    members.push([name, await parseInTurns(inner.subarray(named + 1, to))])
    from = to + 1
    named = null
  }
  for (const at of separators(inner)) {
    if (at === null) await nextTurn()
    else if (inner[at] === comma) await take(at)
    else named ??= at
  }
  await take(inner.length)
  // Defines members, also one named `__proto__`, as JSON.parse does.
  return Object.fromEntries(members)
}

/**
 * Positions of commas and colons at the top level, ignoring nested ones; null when an event loop
 * turn is due.
 */
function* separators(inner: Buffer): Generator<number | null> {
  let depth = 0
  let scanned = 0
  for (let at = 0; at < inner.length; at += 1) {
    if (at - scanned > limits.chainAnswerPieceBytes) {
      scanned = at
      yield null
    }
    const byte = inner[at] as number
    if (byte === quote) at = endOfText(inner, at)
    else if (isOpening(byte)) depth += 1
    else if (isClosing(byte)) depth -= 1
    else if (depth === 0 && (byte === comma || byte === colon)) yield at
  }
}

function endOfText(inner: Buffer, start: number): number {
  let end = inner.indexOf(quote, start + 1)
  while (end !== -1 && isEscapedAt(inner, end)) end = inner.indexOf(quote, end + 1)
  if (end === -1) throw new SyntaxError('A string does not end.')
  return end
}

function isEscapedAt(inner: Buffer, at: number): boolean {
  let before = at
  while (inner[before - 1] === backslash) before -= 1
  return (at - before) % 2 === 1
}

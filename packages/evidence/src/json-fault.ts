export type StrictJsonReason =
  | 'INVALID_UTF8'
  | 'SYNTAX'
  | 'DUPLICATE_KEY'
  | 'LONE_SURROGATE'
  | 'NUL'
  | 'TOO_DEEP'
  | 'TOO_MANY_PARTS'
  | 'NUMBER_OUT_OF_RANGE'

/** The first fault of a text, and its offset in UTF-16 code units. */
export interface JsonFault {
  readonly reason: StrictJsonReason
  readonly position: number
}

/**
 * Reads a text as strict JSON and returns the first fault, or null for valid JSON.
 *
 * A plain parser of the grammar, independent of JSON.parse. It only runs on rejected bodies, so it
 * favors exact positions over speed.
 *
 * @param maximumDepth deepest nesting of arrays and objects; also bounds the recursion
 * @see RFC 8259, §2–§7
 */
export function locateFault(text: string, maximumDepth: number): JsonFault | null {
  const reader = new Reader(text, maximumDepth)
  try {
    reader.readDocument()
    return null
  } catch (error) {
    if (error instanceof Fault) return { reason: error.reason, position: error.position }
    throw error
  }
}

class Fault {
  readonly reason: StrictJsonReason
  readonly position: number
  constructor(reason: StrictJsonReason, position: number) {
    this.reason = reason
    this.position = position
  }
}

const WHITESPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const LITERAL = /true|false|null/y
/** String characters that need no escape. */
const PLAIN = /[^"\\\p{Cc}\p{Cs}]+/uy
const HEX = /[0-9a-fA-F]{4}/y

class Reader {
  readonly #text: string
  readonly #maximumDepth: number
  #at = 0

  constructor(text: string, maximumDepth: number) {
    this.#text = text
    this.#maximumDepth = maximumDepth
  }

  readDocument(): void {
    this.#readValue(0)
    if (this.#at < this.#text.length) throw new Fault('SYNTAX', this.#at)
  }

  #readValue(depth: number): void {
    this.#take(WHITESPACE)
    const start = this.#at
    const first = this.#text[start]
    if (first === '{' || first === '[') {
      if (depth >= this.#maximumDepth) throw new Fault('TOO_DEEP', start)
      this.#at++
      if (first === '{') this.#readMembers(depth + 1)
      else this.#readElements(depth + 1)
    } else if (first === '"') {
      this.#readString()
    } else if (this.#take(LITERAL) === '') {
      const digits = this.#take(NUMBER)
      if (digits === '') throw new Fault('SYNTAX', start)
      if (!Number.isFinite(Number(digits))) throw new Fault('NUMBER_OUT_OF_RANGE', start)
    }
    this.#take(WHITESPACE)
  }

  #readElements(depth: number): void {
    this.#take(WHITESPACE)
    if (this.#takeOne(']')) return
    do this.#readValue(depth)
    while (this.#takeOne(','))
    this.#expect(']')
  }

  #readMembers(depth: number): void {
    const names = new Set<string>()
    this.#take(WHITESPACE)
    if (this.#takeOne('}')) return
    do {
      this.#take(WHITESPACE)
      const start = this.#at
      if (this.#text[start] !== '"') throw new Fault('SYNTAX', start)
      const name = this.#readString()
      if (names.has(name)) throw new Fault('DUPLICATE_KEY', start)
      names.add(name)
      this.#take(WHITESPACE)
      this.#expect(':')
      this.#readValue(depth)
    } while (this.#takeOne(','))
    this.#expect('}')
  }

  #readString(): string {
    let value = ''
    this.#at++
    for (;;) {
      value += this.#take(PLAIN)
      const start = this.#at
      const point = this.#text.codePointAt(start)
      if (point === undefined || point < 0x20) throw new Fault('SYNTAX', start)
      if (isSurrogate(point)) throw new Fault('LONE_SURROGATE', start)
      const character = String.fromCodePoint(point)
      this.#at += character.length
      if (character === '"') return value
      value += character === '\\' ? this.#readEscape(start) : character
    }
  }

  #readEscape(start: number): string {
    const letter = this.#text[this.#at] ?? ''
    const simple = ESCAPES[letter]
    if (simple === undefined && letter !== 'u') throw new Fault('SYNTAX', this.#at)
    this.#at++
    if (simple !== undefined) return simple
    const unit = this.#readHex()
    if (unit === 0) throw new Fault('NUL', start)
    if (!isSurrogate(unit)) return String.fromCharCode(unit)
    if (unit >= 0xdc00 || !this.#text.startsWith('\\u', this.#at)) {
      throw new Fault('LONE_SURROGATE', start)
    }
    this.#at += 2
    const low = this.#readHex()
    if (low < 0xdc00 || low > 0xdfff) throw new Fault('LONE_SURROGATE', start)
    return String.fromCharCode(unit, low)
  }

  #readHex(): number {
    const digits = this.#take(HEX)
    if (digits === '') throw new Fault('SYNTAX', this.#at)
    return Number.parseInt(digits, 16)
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const taken = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += taken.length
    return taken
  }

  #takeOne(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #expect(character: string): void {
    if (!this.#takeOne(character)) throw new Fault('SYNTAX', this.#at)
  }
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

const ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

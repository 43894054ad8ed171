import { isWholeAt } from './exact-json.ts'

const [zero, nine, minus] = ['0', '9', '-'].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
]
/** Maximum digits of a number here: blocks, seconds, ticks and pips. */
const maxDigits = 15

/**
 * A line in the canonical form of sealed events: an object with fields in name order and no
 * spaces. The reader names the text before each field. If any expectation fails, discard all
 * values read.
 */
export class SealedLine {
  #text = ''
  #at = 0
  #isOther = false

  /**
   * @param text lines without a backslash, so a quotation mark ends each text
   * @param at start of a line
   */
  begin(text: string, at: number): void {
    this.#text = text
    this.#at = at
    this.#isOther = false
  }

  /** True if the line matched all expectations and ends exactly here with this text. */
  wasWhole(ending: string, end: number): boolean {
    this.#pass(ending)
    return !this.#isOther && this.#at === end
  }

  /** True if the next field starts with this text. */
  has(before: string): boolean {
    return this.#text.startsWith(before, this.#at)
  }

  /** An integer of any size, quoted as a string. */
  big(before: string): bigint {
    const from = this.#pass(before)
    if (!isWholeAt(this.#text, from)) return this.#refuse(0n)
    try {
      return BigInt(this.#quoted(from))
    } catch {
      return this.#refuse(0n)
    }
  }

  /** A text that is no integer. */
  text(before: string): string {
    const from = this.#pass(before)
    if (isWholeAt(this.#text, from)) return this.#refuse('')
    return this.#quoted(from)
  }

  /** A text whose field may be missing. */
  textIfAny(before: string): string | undefined {
    return this.has(before) ? this.text(before) : undefined
  }

  /** A whole number. */
  number(before: string): number {
    const from = this.#pass(before)
    const text = this.#text
    const isBelow = text.charCodeAt(from) === minus
    const first = isBelow ? from + 1 : from
    let at = first
    let value = 0
    for (; ; at += 1) {
      const sign = text.charCodeAt(at)
      // A character past the end is neither a digit nor part of a number.
      if (!(sign >= zero && sign <= nine)) break
      value = 10 * value + sign - zero
    }
    const digits = at - first
    const isPlain = text.charCodeAt(first) !== zero || (digits === 1 && !isBelow)
    if (digits === 0 || digits > maxDigits || !isPlain) return this.#refuse(0)
    this.#at = at
    return isBelow ? -value : value
  }

  numberOrNull(before: string): number | null {
    if (!this.#text.startsWith('null', this.#at + before.length)) return this.number(before)
    this.#at = this.#pass(before) + 'null'.length
    return null
  }

  /** @returns start of the field */
  #pass(before: string): number {
    if (!this.#text.startsWith(before, this.#at)) this.#isOther = true
    this.#at += before.length
    return this.#at
  }

  #quoted(from: number): string {
    const end = this.#text.indexOf('"', from)
    if (end === -1) return this.#refuse('0')
    this.#at = end + 1
    return this.#text.slice(from, end)
  }

  #refuse<Value>(value: Value): Value {
    this.#isOther = true
    return value
  }
}

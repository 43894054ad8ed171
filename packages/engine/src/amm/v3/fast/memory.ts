import type { ClmmExports } from './module.ts'

const UINT128 = 1n << 128n

/** Reads and writes integers in a module's memory. Addresses are bytes, multiples of 8. */
export class ClmmMemory {
  readonly #exports: Pick<ClmmExports, 'memory'>
  #words = new BigUint64Array()
  #numbers = new Int32Array()

  constructor(exports: Pick<ClmmExports, 'memory'>) {
    this.#exports = exports
  }

  /** 64-bit view. Memory growth detaches older views, so this getter creates a new one. */
  get words(): BigUint64Array {
    if (this.#words.length === 0) this.#words = new BigUint64Array(this.#exports.memory.buffer)
    return this.#words
  }

  /** 32-bit numbers. */
  get numbers(): Int32Array {
    if (this.#numbers.length === 0) this.#numbers = new Int32Array(this.#exports.memory.buffer)
    return this.#numbers
  }

  /** Writes the lowest 128 bits, a negative number as two's complement. */
  write128(at: number, value: bigint): void {
    const { words } = this
    // The typed array stores only the lowest 64 bits.
    words[at >> 3] = value
    words[(at >> 3) + 1] = value >> 64n
  }

  write192(at: number, value: bigint): void {
    this.write128(at, value)
    this.words[(at >> 3) + 2] = value >> 128n
  }

  write256(at: number, value: bigint): void {
    this.write128(at, value)
    const { words } = this
    const isLong = value >= UINT128
    words[(at >> 3) + 2] = isLong ? value >> 128n : 0n
    words[(at >> 3) + 3] = isLong ? value >> 192n : 0n
  }

  read64(at: number): bigint {
    return this.words[at >> 3] as bigint
  }

  // Checks for zero through the 32-bit halves, which avoids a heap allocation.

  read128(at: number): bigint {
    const { words, numbers } = this
    const low = words[at >> 3] as bigint
    const half = at >> 2
    if (((numbers[half + 2] as number) | (numbers[half + 3] as number)) === 0) return low
    return ((words[(at >> 3) + 1] as bigint) << 64n) | low
  }

  read192(at: number): bigint {
    const { numbers } = this
    const half = at >> 2
    const low = this.read128(at)
    if (((numbers[half + 4] as number) | (numbers[half + 5] as number)) === 0) return low
    return (this.read64(at + 16) << 128n) | low
  }

  read256(at: number): bigint {
    const { numbers } = this
    const half = at >> 2
    const low = this.read128(at)
    const upper =
      (numbers[half + 4] as number) |
      (numbers[half + 5] as number) |
      (numbers[half + 6] as number) |
      (numbers[half + 7] as number)
    return upper === 0 ? low : (this.read128(at + 16) << 128n) | low
  }

  readNumber(at: number): number {
    return this.numbers[at >> 2] as number
  }

  writeNumber(at: number, value: number): void {
    this.numbers[at >> 2] = value
  }
}

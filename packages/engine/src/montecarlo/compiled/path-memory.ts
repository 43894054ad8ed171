import { ClmmMemory } from '../../amm/v3/fast/memory.ts'
import type { Holdings } from '../../study/arm.ts'
import type { PathsExports } from './paths-module.ts'

/** Maximum absolute value of an input: sums over a run must not overflow. */
const WIDEST = 1n << 200n

/** The module's memory with signed integers, floats and pairs of amounts. */
export class PathMemory extends ClmmMemory {
  readonly #exports: PathsExports
  #floats = new Float64Array()

  constructor(exports: PathsExports) {
    super(exports)
    this.#exports = exports
  }

  /** 64-bit float view; recreated after memory growth. */
  get floats(): Float64Array {
    if (this.#floats.length === 0) this.#floats = new Float64Array(this.#exports.memory.buffer)
    return this.#floats
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer)
  }

  /** @throws UnheldNumberError for a value beyond the field */
  writeSigned(at: number, value: bigint): void {
    if (value >= WIDEST || value <= -WIDEST) throw new UnheldNumberError({ value })
    this.write256(at, BigInt.asUintN(256, value))
  }

  readSigned(at: number): bigint {
    return BigInt.asIntN(256, this.read256(at))
  }

  writeHoldings(at: number, { base, quote }: Holdings): void {
    this.writeSigned(at, base)
    this.writeSigned(at + 32, quote)
  }

  readHoldings(at: number): Holdings {
    return { base: this.readSigned(at), quote: this.readSigned(at + 32) }
  }

  readFloats(at: number, count: number): Float64Array {
    return this.floats.slice(at >> 3, (at >> 3) + count)
  }
}

/** A number exceeds the fields of the compiled engine. The TypeScript engine can process it. */
export class UnheldNumberError extends Error {
  constructor(facts: { value: bigint }) {
    super(`${facts.value} exceeds 200 bits`)
    this.name = 'UnheldNumberError'
  }
}

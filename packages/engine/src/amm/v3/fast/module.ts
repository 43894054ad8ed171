import { INVERSE_ROOT_POWERS, MAX_SQRT_RATIO, MIN_SQRT_RATIO } from '../tick-math.ts'
import { CLMM_MODULE } from './generated/clmm-module.ts'

/** A place in the module's memory, or a number it counts. */
interface Cell {
  readonly value: number
}

/** What `packages/engine/assembly/index.ts` exports; addresses are bytes. */
export interface ClmmExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly ASKED: Cell
  readonly LIMIT: Cell
  readonly LOG: Cell
  readonly LOG_ASKED: Cell
  readonly AMOUNTS: Cell
  readonly PRICE: Cell
  readonly LIQUIDITY: Cell
  readonly FEE_GROWTH: Cell
  readonly PROTOCOL_FEES: Cell
  readonly BALANCES: Cell
  readonly MAX_LIQUIDITY_PER_TICK: Cell
  readonly AT_PRICE: Cell
  readonly AT_LIQUIDITY: Cell
  readonly REMAINING: Cell
  readonly TOTAL_IN: Cell
  readonly TOTAL_OUT: Cell
  readonly TOTAL_FEE: Cell
  readonly ROOT_POWERS: Cell
  readonly MIN_SQRT_RATIO: Cell
  readonly MAX_SQRT_RATIO: Cell
  readonly crossed: Cell
  readonly tick: Cell
  readonly tickCount: Cell
  readonly observationIndex: Cell
  readonly observationCardinality: Cell
  readonly observationCardinalityNext: Cell
  readonly observationCount: Cell
  setTerms(tick: number, spacing: number, share0: number, share1: number, known: number): void
  putAt(tick: number): void
  setFee(pips: number): void
  setNow(seconds: number): void
  setOracle(index: number, cardinality: number, cardinalityNext: number): void
  growObservations(count: number): number
  increaseCardinalityNext(next: number): void
  insertTick(index: number): number
  slotAt(place: number): number
  draftPosition(lower: number, upper: number): number
  keepDraft(): void
  completePosition(position: number): void
  mint(position: number): number
  burn(position: number): number
  collect(position: number): number
  walk(zeroForOne: number, exactInput: number): number
  quote(zeroForOne: number, exactInput: number): number
  reachedTick(): number
  commit(): number
  recover(): number
  recoverAsked(exactInput: number): number
  reserve(count: number): number
  runBatch(requests: number, outcomes: number, count: number, isQuote: number): void
}

/** The part of the platform's WebAssembly that is used; it needs no file and no network. */
interface Platform {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

let compiled: object | null = null

/** A new instance with separate memory. The code is compiled once. */
export function instantiateClmm(): ClmmExports {
  const platform = (globalThis as unknown as { readonly WebAssembly: Platform }).WebAssembly
  compiled ??= new platform.Module(decodeBase64(CLMM_MODULE))
  // The generated module is built from the sources whose exports the interface lists.
  const exports = new platform.Instance(compiled).exports as ClmmExports
  const words = new BigUint64Array(exports.memory.buffer)
  INVERSE_ROOT_POWERS.forEach((power, bit) => {
    const at = (exports.ROOT_POWERS.value >> 3) + 2 * bit
    words[at] = power
    words[at + 1] = power >> 64n
  })
  words[exports.MIN_SQRT_RATIO.value >> 3] = MIN_SQRT_RATIO
  for (let word = 0; word < 3; word++) {
    words[(exports.MAX_SQRT_RATIO.value >> 3) + word] = MAX_SQRT_RATIO >> BigInt(64 * word)
  }
  return exports
}

function decodeBase64(text: string): Uint8Array {
  const binary = atob(text)
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

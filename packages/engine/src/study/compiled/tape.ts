import { positionKey } from '../../amm/v3/pool.ts'
import type { PositionKey } from '../../amm/v3/state.ts'
import { MAX_TICK, MIN_TICK } from '../../amm/v3/tick-math.ts'
import type { PositionCoverage } from '../../replay/clmm-replay.ts'
import type { ClmmEvent, LiquidityEvent, SwapEvent } from '../../replay/events.ts'
import type { Reference } from '../outside-prices.ts'

/** An entry as `assembly/paths/replay.ts` reads it; bytes. */
const ENTRY = {
  marks: 4,
  time: 8,
  root: 16,
  outside: 40,
  amount0: 80,
  amount1: 96,
  swapPrice: 112,
  liquidity: 80,
  lower: 112,
  upper: 116,
  position: 120,
  bytes: 136,
}
const KIND = { nothing: 0, sample: 1, host: 2, swap: 3, mint: 4, burn: 5, burnUnlisted: 6 }
const MARK = { passes: 1, looks: 2, timed: 4, reference: 8, outside: 16, priced: 32 }

const INT128 = 1n << 127n
const UINT160 = 1n << 160n
/** Maximum external price that fits its field. */
const OUTSIDE_LIMIT = 1n << 320n
/** Liquidity that every pool refuses. */
const REFUSED_LIQUIDITY = 1n << 255n
/** Above every tick. */
const BEYOND_TICKS = 1_000_000

/** Offset of the root price in the first entry. */
export const FIRST_ROOT = ENTRY.root

export const TAPE_ENTRIES = 1024

/** Numbers positions in order of appearance, so that every run can use them as table indexes. */
export class PositionNumbers {
  readonly #numbers = new Map<string, number>()

  of(key: PositionKey): number {
    const name = positionKey(key)
    let number = this.#numbers.get(name)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(name, number)
    }
    return number
  }
}

/** Market history, written once for all runs of a study: events, samples and looks in order. */
export class Tape {
  /** Written entries; `length` is their number. */
  readonly bytes = new Uint8Array(TAPE_ENTRIES * ENTRY.bytes)
  /** Events that the readable engine applies, in the order of their entries. */
  readonly hosted: ClmmEvent[] = []
  length = 0
  readonly #words = new BigInt64Array(this.bytes.buffer)
  readonly #numbers = new Int32Array(this.bytes.buffer)
  readonly #floats = new Float64Array(this.bytes.buffer)
  readonly #numbersOf: PositionNumbers
  readonly #unlisted: boolean
  readonly #isOutside: boolean
  #marks = 0
  #time = 0
  #reference: Reference | null = null

  /** @param isOutside whether references are prices from outside */
  constructor(numbers: PositionNumbers, positions: PositionCoverage, isOutside: boolean) {
    this.#numbersOf = numbers
    this.#unlisted = positions === 'PARTIAL'
    this.#isOutside = isOutside
  }

  get isFull(): boolean {
    return this.length === TAPE_ENTRIES
  }

  /** Bytes in use. */
  get written(): Uint8Array {
    return this.bytes.subarray(0, this.length * ENTRY.bytes)
  }

  clear(): void {
    this.length = 0
    this.hosted.length = 0
  }

  /** Before the next entry, time passes. */
  passTo(time: number): void {
    this.#marks |= MARK.passes
    this.#time = time
  }

  /** Before the next entry, arms look. */
  look(): void {
    this.#marks |= MARK.looks
  }

  sample(): void {
    this.#add(KIND.sample)
  }

  /**
   * @param reference in force after the event
   * @returns false if the event does not fit an entry
   */
  add(event: ClmmEvent, reference: Reference): boolean {
    if (event.timestamp !== null) {
      this.#marks |= MARK.timed
      this.#time = event.timestamp
    }
    const isHeld = this.#follow(reference)
    return isHeld && this.#addEvent(event)
  }

  #follow(reference: Reference): boolean {
    // A reference that is another object is a new one, as the runs of the readable engine have it.
    if (reference.price === this.#reference?.price) return true
    this.#reference = reference
    const { sqrtPriceX96, price } = reference
    this.#marks |= MARK.reference | (this.#isOutside ? MARK.outside : 0)
    const at = (this.length * ENTRY.bytes) >> 3
    this.#write(at + (ENTRY.root >> 3), sqrtPriceX96, 3)
    if (!this.#isOutside) return true
    this.#write(at + (ENTRY.outside >> 3), price.num, 5)
    return price.num > 0n && price.num < OUTSIDE_LIMIT
  }

  #addEvent(event: ClmmEvent): boolean {
    switch (event.type) {
      case 'Swap':
        return this.#addSwap(event)
      case 'Mint':
      case 'Burn':
        return this.#addLiquidity(event)
      case 'Flash':
      case 'SetFeeProtocol':
      case 'FeeChange':
        this.hosted.push(event)
        this.#add(KIND.host)
        return true
      default:
        // Collects, oracle changes and a repeated initialization do not affect an arm.
        this.#add(KIND.nothing)
        return true
    }
  }

  #addSwap({ amount0, amount1, sqrtPriceX96, liquidity }: SwapEvent): boolean {
    if (!isInt128(amount0) || !isInt128(amount1)) return false
    if (sqrtPriceX96 < 0n || sqrtPriceX96 >= UINT160) return false
    const at = (this.length * ENTRY.bytes) >> 3
    this.#write(at + (ENTRY.amount0 >> 3), amount0, 2)
    this.#write(at + (ENTRY.amount1 >> 3), amount1, 2)
    this.#write(at + (ENTRY.swapPrice >> 3), sqrtPriceX96, 3)
    if (liquidity > 0n) this.#marks |= MARK.priced
    this.#add(KIND.swap)
    return true
  }

  #addLiquidity(event: LiquidityEvent): boolean {
    const { tickLower, tickUpper, liquidity } = event
    const isMint = event.type === 'Mint'
    if (!isMint && !(isInt128(liquidity) && liquidity >= 0n && areTicks(event))) return false
    const at = this.length * ENTRY.bytes
    const asked = BigInt.asUintN(256, liquidity) === liquidity ? liquidity : REFUSED_LIQUIDITY
    this.#write((at + ENTRY.liquidity) >> 3, asked, 4)
    const lower = nearTick(tickLower)
    this.#numbers[(at + ENTRY.lower) >> 2] = lower
    // Ticks beyond the range are brought near it, in their order: they are refused alike.
    this.#numbers[(at + ENTRY.upper) >> 2] =
      tickLower < tickUpper ? Math.max(nearTick(tickUpper), lower + 1) : nearTick(tickUpper)
    this.#numbers[(at + ENTRY.position) >> 2] = this.#numbersOf.of(event)
    this.#add(isMint ? KIND.mint : this.#unlisted ? KIND.burnUnlisted : KIND.burn)
    return true
  }

  #add(kind: number): void {
    const at = this.length * ENTRY.bytes
    this.#numbers[at >> 2] = kind
    this.#numbers[(at + ENTRY.marks) >> 2] = this.#marks
    this.#floats[(at + ENTRY.time) >> 3] = this.#time
    this.#marks = 0
    this.length += 1
  }

  /** Writes the lowest 64-bit words in two's complement. */
  #write(at: number, value: bigint, words: number): void {
    let rest = value
    for (let word = 0; word < words; word++) {
      // The typed array stores only the lowest 64 bits.
      this.#words[at + word] = rest
      rest >>= 64n
    }
  }
}

function isInt128(amount: bigint): boolean {
  return amount < INT128 && amount > -INT128
}

function areTicks({ tickLower, tickUpper }: LiquidityEvent): boolean {
  return [tickLower, tickUpper].every((tick) => tick >= MIN_TICK && tick <= MAX_TICK)
}

function nearTick(tick: number): number {
  return Math.max(-BEYOND_TICKS, Math.min(BEYOND_TICKS, tick))
}

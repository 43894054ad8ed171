import { readObservations, readTicks } from '../../amm/v3/fast/transfer.ts'
import { loadPool, type Pool, snapshotPool } from '../../amm/v3/pool.ts'
import type { ClmmState } from '../../amm/v3/state.ts'
import { OtherProviders } from '../other-providers.ts'
import { type OpenedArm, writePool } from './compiled-arm.ts'
import type { PathMemory } from './path-memory.ts'
import type { PathsExports } from './paths-module.ts'

/**
 * Everyone else in the pool of an arm, on one path. What they do is rare, so the readable code does it on the
 * pool as the module has it, and the module takes the pool back.
 */
export class MovingOthers {
  readonly #x: PathsExports
  readonly #memory: PathMemory
  readonly #opened: OpenedArm
  readonly #stepSeconds: number
  #met: { pool: Pool; others: OtherProviders } | null = null

  constructor(x: PathsExports, memory: PathMemory, opened: OpenedArm, stepSeconds: number) {
    this.#x = x
    this.#memory = memory
    this.#opened = opened
    this.#stepSeconds = stepSeconds
  }

  /** They take a share of their liquidity out. */
  exit(sharePips: number): void {
    const { pool, others } = this.#meet()
    this.#refresh(pool)
    others.exit(sharePips)
    writePool(this.#x, this.#memory, snapshotPool(pool))
  }

  /** They move their liquidity to the price if all of it is out of range. */
  follow(): void {
    const { pool, others } = this.#meet()
    if (others.isServing(this.#x.tick.value)) return
    this.#refresh(pool)
    others.follow()
    writePool(this.#x, this.#memory, snapshotPool(pool))
  }

  #meet(): { pool: Pool; others: OtherProviders } {
    if (this.#met === null) {
      const pool = loadPool(this.#readPool())
      this.#met = { pool, others: new OtherProviders(pool, this.#opened.positions) }
      // Their positions are told anew, and with them the liquidity that is counted per tick.
      writePool(this.#x, this.#memory, snapshotPool(pool))
    }
    return this.#met
  }

  /** Brings the readable pool to where the module's stands; what others own is told in it alone. */
  #refresh(pool: Pool): void {
    const { positions } = pool
    Object.assign(pool, loadPool(this.#readPool()), { positions })
  }

  #readPool(): ClmmState {
    const x = this.#x
    const memory = this.#memory
    const { pool } = this.#opened
    if (pool === null) throw new RangeError('an arm without a pool has no others beside it')
    return {
      ...pool,
      positions: [],
      blockTimestamp: pool.blockTimestamp + x.step.value * this.#stepSeconds,
      sqrtPriceX96: memory.read192(x.PRICE.value),
      tick: x.tick.value,
      liquidity: memory.read128(x.LIQUIDITY.value),
      feeGrowthGlobal0X128: memory.read256(x.FEE_GROWTH.value),
      feeGrowthGlobal1X128: memory.read256(x.FEE_GROWTH.value + 32),
      protocolFees0: memory.read128(x.PROTOCOL_FEES.value),
      protocolFees1: memory.read128(x.PROTOCOL_FEES.value + 16),
      observationIndex: x.observationIndex.value,
      observationCardinality: x.observationCardinality.value,
      observationCardinalityNext: x.observationCardinalityNext.value,
      ticks: readTicks(x, memory),
      observations: readObservations(x, memory),
    }
  }
}

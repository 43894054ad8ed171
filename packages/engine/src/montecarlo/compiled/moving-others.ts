import { readObservations, readTicks } from '../../amm/v3/fast/transfer.ts'
import { loadPool, type Pool, snapshotPool } from '../../amm/v3/pool.ts'
import type { ClmmState } from '../../amm/v3/state.ts'
import { OtherProviders } from '../other-providers.ts'
import { type OpenedArm, writePool } from './compiled-arm.ts'
import type { PathMemory } from './path-memory.ts'
import type { PathsExports } from './paths-module.ts'

/**
 * All other liquidity in an arm's pool, on one path. Its moves are rare, so the TypeScript code
 * performs them on a copy of the module's pool. The module then reads the pool back.
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

  /** Other LPs move their liquidity to the price if all their liquidity is out of range. */
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
      // Writes their reconstructed positions, and the resulting gross liquidity per tick.
      writePool(this.#x, this.#memory, snapshotPool(pool))
    }
    return this.#met
  }

  /**
   * Updates the TypeScript pool from the module. Only the TypeScript pool has the positions of
   * others.
   */
  #refresh(pool: Pool): void {
    const { positions } = pool
    Object.assign(pool, loadPool(this.#readPool()), { positions })
  }

  #readPool(): ClmmState {
    const x = this.#x
    const memory = this.#memory
    const { pool } = this.#opened
    if (pool === null) throw new RangeError('a candidate without a pool has no other liquidity')
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

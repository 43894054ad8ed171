import type { ClmmEvent } from './events.ts'
import type { Verdict } from './fidelity.ts'

/** Largest protocol share of a v3 pool, 1/n. A fork that splits in ten thousandths stores more. */
const LARGEST_SHARE = 10

/** Fields of a v3 pool that a split of another unit leaves undetermined. */
export const FORK_SHARE_FIELDS = [
  'feeGrowthGlobal0X128',
  'feeGrowthGlobal1X128',
  'protocolFees0',
  'protocolFees1',
] as const

/**
 * Detects a pool whose protocol fee differs from v3's 1/n. Amounts, prices and ticks do not depend
 * on it, but fee growth and collected protocol fees do. Dependent events are then not checked.
 */
export class ForkShare {
  #isActive = false

  /** Whether such a split was seen. */
  get isActive(): boolean {
    return this.#isActive
  }

  /**
   * The refusal of an event that depends on the split, or null for an event that the engine can
   * check.
   */
  judge(event: ClmmEvent): Verdict | null {
    if (event.type === 'Swap' && (event.protocolFee ?? 0n) > 0n) this.#isActive = true
    if (event.type === 'SetFeeProtocol') {
      const isOwn = event.feeProtocol0 <= LARGEST_SHARE && event.feeProtocol1 <= LARGEST_SHARE
      if (isOwn) return null
      this.#isActive = true
    }
    const depends = event.type === 'SetFeeProtocol' || event.type === 'CollectProtocol'
    if (!this.#isActive || !depends) return null
    return { status: 'REFUSED', reason: 'PROTOCOL_SHARE_OF_FORK' }
  }
}

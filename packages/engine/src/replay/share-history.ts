import type { ClmmState } from '../amm/v3/state.ts'
import type { ClmmEvent } from './events.ts'
import { compareFields, type Verdict } from './fidelity.ts'

/**
 * Tracks the protocol share of a v3 pool, to check the old share in a change log. A start value of
 * zero is unknown, unless the pool was not yet initialized.
 */
export class ShareHistory {
  #feeProtocol0: number
  #feeProtocol1: number
  #isKnown: boolean

  constructor({ feeProtocol0, feeProtocol1, sqrtPriceX96 }: ClmmState) {
    this.#feeProtocol0 = feeProtocol0
    this.#feeProtocol1 = feeProtocol1
    this.#isKnown = sqrtPriceX96 === 0n || feeProtocol0 > 0 || feeProtocol1 > 0
  }

  /** The verdict on a change of the share, based on the verdict of the change itself. */
  judge(event: Extract<ClmmEvent, { type: 'SetFeeProtocol' }>, verdict: Verdict): Verdict {
    const [feeProtocol0Old, feeProtocol1Old] = [this.#feeProtocol0, this.#feeProtocol1]
    const isKnown = this.#isKnown
    this.#feeProtocol0 = event.feeProtocol0
    this.#feeProtocol1 = event.feeProtocol1
    this.#isKnown = true
    if (verdict.status !== 'EXACT' || !isKnown) return verdict
    const { feeProtocol0Old: old0 = null, feeProtocol1Old: old1 = null } = event
    return compareFields(
      { feeProtocol0Old: old0, feeProtocol1Old: old1 },
      { feeProtocol0Old, feeProtocol1Old },
    )
  }
}

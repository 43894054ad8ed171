import type { LoanReading, Span } from '@liquidity-os/engine/mandates'
import type { Evaluation } from './evaluate-windows.ts'
import type { MandateTerms } from './mandate-terms.ts'

/** A mandate: the part that charts use. */
export interface DrawnMandate {
  readonly title: string
  readonly pair: { readonly chainId: number }
  readonly status: string
  readonly terms: MandateTerms
  readonly month: Span
  /** Days of the uptime by hour. */
  readonly recent: Span
  /** Unix seconds. */
  readonly asOf: number
  readonly evaluations: readonly Evaluation[]
  /** Stored daily sums. */
  readonly days: readonly { readonly day: number; readonly bytes: Uint8Array }[]
  readonly loan: readonly LoanReading[]
}

import { divideHalfEven, roundHalfEvenToInteger } from '../numerics/half-even.ts'
import { ln } from '../numerics/ln.ts'

/** A published point of a sub-score: a raw value and the pips it earns. */
export type Anchor = readonly [raw: number, pips: number]

/** A piecewise-linear sub-score; `LOG` interpolates in the logarithm of the raw value. */
export interface AnchorScale {
  readonly scale: 'LINEAR' | 'LOG'
  /** Ascending by raw value, at least two; outside them the nearest one counts. */
  readonly anchors: readonly Anchor[]
}

/**
 * Sub-score of a raw value, rounded half to even.
 *
 * @param raw an integer in the unit of the anchors, not below zero
 */
export function scoreOnAnchors(raw: number, { scale, anchors }: AnchorScale): number {
  // Scales have at least two anchors.
  const first = anchors[0]!
  const last = anchors.at(-1)!
  if (raw <= first[0]) return first[1]
  if (raw >= last[0]) return last[1]
  const above = anchors.findIndex(([value]) => value > raw)
  const [x0, y0] = anchors[above - 1]!
  const [x1, y1] = anchors[above]!
  if (scale === 'LINEAR') {
    const rise = divideHalfEven(BigInt(y1 - y0) * BigInt(raw - x0), BigInt(x1 - x0))
    return y0 + Number(rise)
  }
  return y0 + roundHalfEvenToInteger(((y1 - y0) * ln(raw / x0)) / ln(x1 / x0))
}

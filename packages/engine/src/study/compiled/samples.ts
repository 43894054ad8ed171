import type { Side } from '../../depth/depth-ladder.ts'
import type { SampledMarket } from '../../montecarlo/arm-recorder.ts'
import type { PathMemory } from '../../montecarlo/compiled/path-memory.ts'
import type { Holdings } from '../arm.ts'

/** As `assembly/paths/replay.ts`. */
const SAMPLE = { fees: 64, price: 128, tick: 152, inRange: 156, bytes: 160 }

/** Sizes and bands that a sample measures, in their order. */
export interface SampleShape {
  readonly sizesQuote: readonly bigint[]
  readonly bandsPips: readonly number[]
}

/** A sample from the module; meaningless if the arm has no pool. */
export interface TakenSample {
  readonly held: Holdings
  readonly fees: Holdings
  readonly place: { readonly sqrtPriceX96: bigint; readonly tick: number }
  readonly isInRange: boolean
  readonly market: SampledMarket
}

export function sampleBytes({ sizesQuote, bandsPips }: SampleShape): number {
  return SAMPLE.bytes + 16 * sizesQuote.length + 32 * bandsPips.length
}

/** Reads the sample at an address. */
export function readSample(memory: PathMemory, at: number, shape: SampleShape): TakenSample {
  const { sizesQuote, bandsPips } = shape
  const pips = memory.readFloats(at + SAMPLE.bytes, 2 * sizesQuote.length)
  const depths = at + SAMPLE.bytes + 16 * sizesQuote.length
  const thinner = bandsPips.map((_, place) => memory.readSigned(depths + 32 * place))
  return {
    held: memory.readHoldings(at),
    fees: memory.readHoldings(at + SAMPLE.fees),
    place: {
      sqrtPriceX96: memory.read192(at + SAMPLE.price),
      tick: memory.readNumber(at + SAMPLE.tick),
    },
    isInRange: memory.readNumber(at + SAMPLE.inRange) !== 0,
    market: {
      // The shape contains every requested size and band once.
      slippage: (sizeQuote: bigint, side: Side) =>
        pips[2 * sizesQuote.indexOf(sizeQuote) + (side === 'BUY' ? 0 : 1)]!,
      thinnerDepth: (bands) =>
        new Map(bands.map((band) => [band, thinner[bandsPips.indexOf(band)]!])),
    },
  }
}

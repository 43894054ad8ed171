import { exp } from '../numerics/exp.ts'
import { roundHalfEven } from '../numerics/half-even.ts'
import { ln } from '../numerics/ln.ts'
import { pathStream } from '../random/streams.ts'
import { type ActionKind, gasTable } from './gas-table.ts'

/** How the base fee moves: not at all, or as an AR(1) of its logarithm around a level. */
export type BaseFeeProcess =
  | { readonly kind: 'CONSTANT'; readonly baseFeeWei: bigint }
  | {
      readonly kind: 'AR1_LOG'
      /** Mean-reversion level of the logarithm, and its start value. */
      readonly meanWei: bigint
      /** Share of a deviation that is left after one step, in [0, 1). */
      readonly persistence: number
      /** Standard deviation of the shock of one step. */
      readonly deviation: number
    }

/** What gas costs in the quote. */
export interface GasModel {
  readonly baseFee: BaseFeeProcess
  readonly tipWei: bigint
  /** Data fee per transaction on a rollup, wei. */
  readonly l1DataFeeWei: bigint
  /** Quote atoms per wei, times 10^18. */
  readonly nativePriceX18: bigint
}

/** Zero gas cost, for studies that explicitly exclude gas. */
export const FREE_GAS: GasModel = {
  baseFee: { kind: 'CONSTANT', baseFeeWei: 0n },
  tipWei: 0n,
  l1DataFeeWei: 0n,
  nativePriceX18: 0n,
}

const X18 = 10n ** 18n

/**
 * Cost of actions along a path.
 *
 *     ln f_t = m + ρ·(ln f_{t−1} − m) + s·Z;   cost = ⌈(units·(f_t + tip) + l1)·price / 10^18⌉
 *
 * @returns quote atoms of an action at a step, rounded up
 */
export function gasAlong(
  model: GasModel,
  seed: Uint8Array,
  pairIndex: number,
  antithetic: boolean,
  steps: number,
): (action: ActionKind, step: number) => bigint {
  const fees = baseFees(model.baseFee, seed, pairIndex, antithetic, steps)
  return (action, step) => {
    if (model.nativePriceX18 === 0n) return 0n
    const price = fees === null ? constantFee(model.baseFee) : roundHalfEven(fees[step] ?? 0)
    const wei = BigInt(gasTable.units[action]) * (price + model.tipWei) + model.l1DataFeeWei
    return (wei * model.nativePriceX18 + X18 - 1n) / X18
  }
}

function constantFee(process: BaseFeeProcess): bigint {
  return process.kind === 'CONSTANT' ? process.baseFeeWei : process.meanWei
}

function baseFees(
  process: BaseFeeProcess,
  seed: Uint8Array,
  pairIndex: number,
  antithetic: boolean,
  steps: number,
): Float64Array | null {
  if (process.kind === 'CONSTANT') return null
  const { meanWei, persistence, deviation } = process
  if (!(persistence >= 0 && persistence < 1)) {
    throw new RangeError(`a persistence of ${persistence}; expected a value in [0, 1)`)
  }
  const stream = pathStream(seed, pairIndex, 'gas', antithetic)
  const centre = ln(Number(meanWei))
  let distance = 0
  const fees = new Float64Array(steps + 1)
  fees[0] = Number(meanWei)
  for (let step = 1; step <= steps; step++) {
    distance = persistence * distance + deviation * stream.normal()
    fees[step] = exp(centre + distance)
  }
  return fees
}

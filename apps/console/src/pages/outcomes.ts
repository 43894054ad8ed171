/** An arm of a study under one assumption on the traders, as far as its gain in quote atoms is told. */
export interface RunArm {
  armId: string
  flowModel?: string
  timeInRangePips?: number | null
  waterfallHolder?: {
    net: string
    hold: string
    exposureDrift: string
    divergenceLoss: string
    fees: string
    gas: string
    rebalanceCost: string
  }
}

/** The least and the most over the assumptions, in quote atoms. */
export interface Band {
  low: bigint
  high: bigint
}

export interface ArmOutcome {
  armId: string
  label: string
  flowModels: string[]
  net: Band
  hold: Band
  mix: Band
  curve: Band
  fees: Band
  costs: Band
  /** The least over the assumptions; null where the arm has no range. */
  inRangePips: number | null
}

type Waterfall = NonNullable<RunArm['waterfallHolder']>

/**
 * What each arm that was asked for gained, the most under its worse assumption first. Benchmarks that ran beside them have no
 * label and are left out.
 *
 * @param labels of the arms that were asked for, by their ids
 */
export function outcomesOf(
  runs: readonly RunArm[],
  labels: ReadonlyMap<string, string>,
): ArmOutcome[] {
  const byArm = Map.groupBy(
    runs.filter(({ armId, waterfallHolder }) => waterfallHolder && labels.has(armId)),
    ({ armId }) => armId,
  )
  const outcomes = [...byArm].map(([armId, arms]) => {
    const bandOf = (read: (waterfall: Waterfall) => bigint): Band => {
      const values = arms.flatMap(({ waterfallHolder }) =>
        waterfallHolder ? [read(waterfallHolder)] : [],
      )
      const [low = 0n, ...others] = values.toSorted((a, b) => (a < b ? -1 : 1))
      return { low, high: others.at(-1) ?? low }
    }
    const shares = arms.flatMap(({ timeInRangePips: pips }) => (pips == null ? [] : [pips]))
    return {
      armId,
      label: labels.get(armId) ?? armId,
      flowModels: arms.flatMap(({ flowModel }) => flowModel ?? []),
      net: bandOf(({ net }) => BigInt(net)),
      hold: bandOf(({ hold }) => BigInt(hold)),
      mix: bandOf(({ exposureDrift }) => BigInt(exposureDrift)),
      curve: bandOf(({ divergenceLoss }) => -BigInt(divergenceLoss)),
      fees: bandOf(({ fees }) => BigInt(fees)),
      costs: bandOf(({ gas, rebalanceCost }) => -BigInt(gas) - BigInt(rebalanceCost)),
      inRangePips: shares.length === 0 ? null : Math.min(...shares),
    }
  })
  return outcomes.toSorted((a, b) => (a.net.low < b.net.low ? 1 : -1))
}

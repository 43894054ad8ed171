/** P&L breakdown of capital vs HODL, each line measured independently, in quote atoms. */
export interface HolderWaterfall {
  readonly hold: bigint
  /** Impermanent loss: start holdings less the position without fees, both at the end price. */
  readonly divergenceLoss: bigint
  /** Effect of starting with another inventory than HOLD. */
  readonly exposureDrift: bigint
  readonly fees: bigint
  readonly rewards: bigint
  readonly gas: bigint
  readonly rebalanceCost: bigint
  readonly rounding: bigint
  readonly net: bigint
}

/** The same result as a market maker sees it, in quote atoms. */
export interface MakerWaterfall {
  /** Inventory times price change, summed. */
  readonly deltaPnl: bigint
  /** Loss versus rebalancing: value lost at the reference price by the pool's trades. */
  readonly lvr: bigint
  /** Fees valued when they accrued. */
  readonly fees: bigint
  readonly rewards: bigint
  readonly gas: bigint
  readonly rebalanceCost: bigint
  readonly rounding: bigint
  readonly net: bigint
}

/** The lines of a waterfall before the rounding, and the net result measured on its own. */
type Lines<W> = Omit<W, 'rounding'>

/**
 * Closes the holder's P&L breakdown:
 *
 *     net = hold − divergenceLoss + exposureDrift + fees + rewards − gas − rebalanceCost + rounding
 *
 * @param valuations number of valuations rounded to an atom; bounds the rounding
 * @throws WaterfallError if the remainder exceeds this bound
 */
export function closeHolder(lines: Lines<HolderWaterfall>, valuations: number): HolderWaterfall {
  const { hold, divergenceLoss, exposureDrift, fees, rewards, gas, rebalanceCost, net } = lines
  const sum = hold - divergenceLoss + exposureDrift + fees + rewards - gas - rebalanceCost
  return { ...lines, rounding: leftOver('holder', net - sum, valuations) }
}

/**
 * Closes the market maker's waterfall:
 *
 *     net = deltaPnl − lvr + fees + rewards − gas − rebalanceCost + rounding
 *
 * @throws WaterfallError as `closeHolder`
 */
export function closeMaker(lines: Lines<MakerWaterfall>, valuations: number): MakerWaterfall {
  const { deltaPnl, lvr, fees, rewards, gas, rebalanceCost, net } = lines
  const sum = deltaPnl - lvr + fees + rewards - gas - rebalanceCost
  return { ...lines, rounding: leftOver('maker', net - sum, valuations) }
}

function leftOver(waterfall: string, rounding: bigint, valuations: number): bigint {
  const magnitude = rounding < 0n ? -rounding : rounding
  if (magnitude > BigInt(valuations)) throw new WaterfallError({ waterfall, rounding, valuations })
  return rounding
}

/** The lines do not explain the result: an error of the engine, never of its input. */
export class WaterfallError extends Error {
  constructor(facts: { waterfall: string; rounding: bigint; valuations: number }) {
    super(
      `the ${facts.waterfall} breakdown leaves ${facts.rounding} atoms ` +
        `where ${facts.valuations} valuations can leave one each`,
    )
    this.name = 'WaterfallError'
  }
}

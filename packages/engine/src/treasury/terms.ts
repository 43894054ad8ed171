/** Certainty of a flow; flows are paid in this order. */
export const CERTAINTIES = ['COMMITTED', 'EXPECTED', 'UNCERTAIN'] as const
export type Certainty = (typeof CERTAINTIES)[number]

/** 0 (money of a bank) to 4 (the own token). */
export type Tier = 0 | 1 | 2 | 3 | 4

/** An asset that is held, received or owed. */
export interface ProjectedAsset {
  readonly assetKey: string
  /** Observed quote atoms per atom of the asset, times 10³⁶; null without a price. */
  readonly priceX36: bigint | null
  readonly tier: Tier
  /** Observed market for sales; null without observations. */
  readonly market: AssetMarket | null
}

export interface AssetMarket {
  /** Atoms of a day, above zero. */
  readonly dailyVolume: bigint
  readonly dailyVolatilityPips: bigint
}

/** A stock of one asset in one tier: a token in a pool is less liquid than the same token in an account. */
export interface ProjectedHolding {
  /** Place of the asset. */
  readonly asset: number
  readonly tier: Tier
  /**
   * Whether the holding is the asset itself, which can pay obligations in it. A claim on the asset
   * can only be sold.
   */
  readonly isDirect: boolean
  /** Atoms that are free at the snapshot. */
  readonly opening: bigint
  /** Atoms that become free, by place of the month. */
  readonly returns: readonly { readonly month: number; readonly quantity: bigint }[]
}

/** An inflow or outflow by month, before growth and scenario. */
export interface ProjectedFlow {
  readonly id: string
  readonly asset: number
  readonly direction: 'INFLOW' | 'OUTFLOW'
  readonly certainty: Certainty
  /** Of UNCERTAIN ones. */
  readonly probabilityPips?: number
  /** Above −1,000,000. */
  readonly growthAnnualPips: number
  /** Whether the multipliers and the delay of a scenario act on it. */
  readonly isAssumed: boolean
  /** Atoms by month. */
  readonly due: readonly bigint[]
  /** First due moment per month, in any unit; used only for ordering. */
  readonly dueAt: readonly number[]
}

/** How an observed price moves. Months are counted from 0. */
export type PricePath =
  | { readonly kind: 'HOLD' }
  | { readonly kind: 'STEP'; readonly month: number; readonly movePips: number }
  | { readonly kind: 'LINEAR'; readonly movePips: number }
  | { readonly kind: 'PATH'; readonly movesPips: readonly number[] }

export interface ProjectedScenario {
  readonly scenarioId: string
  /** One for each asset. */
  readonly paths: readonly PricePath[]
  readonly inflowMultiplierPips: number
  readonly outflowMultiplierPips: number
  readonly inflowDelayMonths: number
}

/** Input of a projection, with the payment rules. */
export interface TreasuryTerms {
  readonly months: number
  /**
   * Elapsed months of the horizon at the snapshot. They have no due amounts and are not projected.
   */
  readonly elapsed: number
  /**
   * Remainder of the first projected month, in thousandths rounded down: 1000 if it has not begun.
   */
  readonly firstMonthX3: number
  readonly assets: readonly ProjectedAsset[]
  readonly holdings: readonly ProjectedHolding[]
  readonly flows: readonly ProjectedFlow[]
  /** By tier. */
  readonly haircutPips: readonly number[]
  /** Tiers in selling order. Tier 0 comes first unless listed. */
  readonly conversionOrder: readonly Tier[]
  /** Limits for sales of tier 4; null if it is not sold. */
  readonly ownToken: {
    readonly maximumParticipationPips: number
    readonly floorPriceX36: bigint
  } | null
  readonly minimumCashQuote: bigint
}

/** Which flows count: COMMITTED inflows only, or all, UNCERTAIN ones by their probability. */
export type View = 'gross' | 'net'
/** Assets allowed for sale: tiers 0 and 1, all except the own token, or all. */
export type Level = 'cash' | 'liquid' | 'withOwnToken'

export const MILLION = 1_000_000n
export const ONE_X36 = 10n ** 36n
/** Days per month for daily values. */
export const DAYS_OF_MONTH = 30n

/** Certainty of a flow; flows are paid in this order. */
export const CERTAINTIES = ['COMMITTED', 'EXPECTED', 'UNCERTAIN'] as const
export type Certainty = (typeof CERTAINTIES)[number]

/** 0 (money of a bank) to 4 (the own token). */
export type Tier = 0 | 1 | 2 | 3 | 4

/** An asset that is held, received or owed. */
export interface ProjectedAsset {
  readonly assetKey: string
  /** Quote atoms per atom of the asset, times 10³⁶, as observed; null where there is none. */
  readonly priceX36: bigint | null
  readonly tier: Tier
  /** What selling it moves; null where nobody observed that. */
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
  /** Whether it is the asset itself, by which what is owed in it is paid; what lies behind a claim is only sold. */
  readonly isDirect: boolean
  /** Atoms that are free at the snapshot. */
  readonly opening: bigint
  /** Atoms that become free, by place of the month. */
  readonly returns: readonly { readonly month: number; readonly quantity: bigint }[]
}

/** What comes or is owed, by month, before growth and scenario. */
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
  /** First moment of each month at which some of it is due; whatever unit, it only orders. */
  readonly dueAt: readonly number[]
}

/** How an observed price moves. Months are counted from 0. */
export type PricePath =
  | { readonly kind: 'HOLD' }
  | { readonly kind: 'STEP'; readonly month: number; readonly movePips: number }
  | { readonly kind: 'LINEAR'; readonly movePips: number }
  | { readonly kind: 'PATH'; readonly movesPips: readonly number[] }

/** A world in which a treasury is projected. */
export interface ProjectedScenario {
  readonly scenarioId: string
  /** One for each asset. */
  readonly paths: readonly PricePath[]
  readonly inflowMultiplierPips: number
  readonly outflowMultiplierPips: number
  readonly inflowDelayMonths: number
}

/** What is projected, and by which rules it pays. */
export interface TreasuryTerms {
  readonly months: number
  /** Months of the horizon that are over at the snapshot: nothing is due in them and none is projected. */
  readonly elapsed: number
  /** What is left of the first month that is projected, thousandths of it rounded down: 1000 where it has not begun. */
  readonly firstMonthX3: number
  readonly assets: readonly ProjectedAsset[]
  readonly holdings: readonly ProjectedHolding[]
  readonly flows: readonly ProjectedFlow[]
  /** By tier. */
  readonly haircutPips: readonly number[]
  /** Tiers in the order in which they are sold. Tier 0 comes first unless it is named. */
  readonly conversionOrder: readonly Tier[]
  /** Bounds of selling tier 4; null where it is not sold. */
  readonly ownToken: {
    readonly maximumParticipationPips: number
    readonly floorPriceX36: bigint
  } | null
  readonly minimumCashQuote: bigint
}

/** Which flows count: COMMITTED inflows only, or all, UNCERTAIN ones by their probability. */
export type View = 'gross' | 'net'
/** What may be sold: tiers 0 and 1, all but the own token, or that too. */
export type Level = 'cash' | 'liquid' | 'withOwnToken'

export const MILLION = 1_000_000n
export const ONE_X36 = 10n ** 36n
/** Days of a month for what is told by day. */
export const DAYS_OF_MONTH = 30n

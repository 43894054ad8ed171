/** The limits of an autonomy policy. Amounts are atoms of the quote of its vault. */
export interface PolicyTerms {
  readonly vaultId: string
  /** 0 observe, 1 advise, 2 prepare, 3 stage, 4 bounded. */
  readonly level: 0 | 1 | 2 | 3 | 4
  readonly maximumAmountPerTransaction: bigint
  readonly maximumDailyTurnover: bigint
  readonly maximumSlippagePips: number
  /** Sets, each ascending and without repetition. */
  readonly approvedContracts: readonly string[]
  readonly approvedAssets: readonly string[]
  readonly approvedAdapterIds: readonly string[]
  readonly minimumSecondsBetweenActions: number
  readonly oracleMaximumAgeSeconds: number
  /** UTC to the second, `YYYY-MM-DDTHH:MM:SSZ`: such texts sort like the times. */
  readonly expiresAt: string
  readonly controlEpoch: bigint
  readonly publicMempoolFallbackAllowed: boolean
  /** Quote atoms for a base atom, times 10^18; null for no bound. */
  readonly minimumPriceX18: bigint | null
  readonly maximumPriceX18: bigint | null
}

export type PolicyField = keyof PolicyTerms

/** Value of an absent upper price bound. */
export const greatestPriceX18 = 2n ** 256n - 1n

/** Whether policies can act on chain automatically at a level. */
export const isExecutable = ({ level }: Pick<PolicyTerms, 'level'>): boolean => level >= 3

/**
 * The normal form of limits: sets are sorted and unique (addresses by lower-case digits, names by
 * code unit). Price bounds without effect are removed.
 */
export function normalTerms(terms: PolicyTerms): PolicyTerms {
  const { minimumPriceX18: least, maximumPriceX18: most } = terms
  return {
    ...terms,
    approvedContracts: ascendingSet(terms.approvedContracts, (item) => item.toLowerCase()),
    approvedAssets: ascendingSet(terms.approvedAssets, (item) => item.toLowerCase()),
    approvedAdapterIds: ascendingSet(terms.approvedAdapterIds, (item) => item),
    minimumPriceX18: least === 0n ? null : least,
    maximumPriceX18: most === greatestPriceX18 ? null : most,
  }
}

function ascendingSet(items: readonly string[], keyOf: (item: string) => string): string[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]))
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item)
}

/** The empty policy: every other policy of the vault and epoch is as wide or wider. */
export function bottomTerms(vaultId: string, controlEpoch: bigint): PolicyTerms {
  return {
    vaultId,
    controlEpoch,
    level: 0,
    maximumAmountPerTransaction: 0n,
    maximumDailyTurnover: 0n,
    maximumSlippagePips: 0,
    approvedContracts: [],
    approvedAssets: [],
    approvedAdapterIds: [],
    minimumSecondsBetweenActions: 31_536_000,
    oracleMaximumAgeSeconds: 1,
    expiresAt: '1970-01-01T00:00:00Z',
    publicMempoolFallbackAllowed: false,
    minimumPriceX18: greatestPriceX18,
    maximumPriceX18: 0n,
  }
}

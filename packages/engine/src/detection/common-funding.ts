/** By trader, the accounts that funded it. Every address has one spelling. */
export type Funding = ReadonlyMap<string, ReadonlySet<string>>

export const noFunding: Funding = new Map()

/** Traders that one account funded, with that account if it trades too. */
export interface FundedGroup {
  readonly source: string
  /** At least two. */
  readonly traders: ReadonlySet<string>
}

/**
 * Maximum traders that one account funds. Above it, the account is treated as an exchange, whose
 * customers are unrelated.
 */
export const MOST_FUNDED = 16

/** Traders grouped by funding account, for accounts that funded at least two. Sorted by address. */
export function fundedGroups(traders: ReadonlySet<string>, funding: Funding): FundedGroup[] {
  const bySource = new Map<string, Set<string>>()
  for (const trader of traders) {
    for (const source of funding.get(trader) ?? []) {
      const known = bySource.get(source)
      if (known) known.add(trader)
      else bySource.set(source, new Set(traders.has(source) ? [source, trader] : [trader]))
    }
  }
  return [...bySource]
    .filter(([, funded]) => funded.size > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([source, funded]) => ({ source, traders: funded }))
}

export interface FundedShare extends FundedGroup {
  /** Part of the volume that these traders made, pips, rounded down. */
  readonly sharePips: bigint
}

interface FundedLeg {
  readonly origin: string
  /** Quote atoms. */
  readonly volumeQuote: bigint
}

/**
 * The group with the most volume among traders funded by one account. Returns the largest group of
 * at most `MOST_FUNDED` traders, then the largest group above this size. On equal volume the lower
 * address comes first.
 *
 * @returns none, one or two
 */
export function largestFundedShares(legs: readonly FundedLeg[], funding: Funding): FundedShare[] {
  const volumes = new Map<string, bigint>()
  let all = 0n
  for (const { origin, volumeQuote } of legs) {
    volumes.set(origin, (volumes.get(origin) ?? 0n) + volumeQuote)
    all += volumeQuote
  }
  if (all === 0n) return []
  let few: FundedShare | null = null
  let many: FundedShare | null = null
  for (const group of fundedGroups(new Set(volumes.keys()), funding)) {
    const volume = [...group.traders].reduce((sum, one) => sum + (volumes.get(one) ?? 0n), 0n)
    const share = { ...group, sharePips: (volume * 1_000_000n) / all }
    if (group.traders.size <= MOST_FUNDED) few = largerOf(few, share)
    else many = largerOf(many, share)
  }
  return [few, many].filter((one) => one !== null)
}

const largerOf = (known: FundedShare | null, share: FundedShare): FundedShare =>
  known !== null && known.sharePips >= share.sharePips ? known : share

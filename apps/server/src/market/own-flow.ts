import type { TapeTrade } from '@liquidity-os/engine/scoring'
import type { TraderLink, VenueFunding } from './trader-funding.ts'

/**
 * Why a trade counts as own flow.
 *
 * - ISSUER: a declared account of the issuer signed it, called the pool or received the output.
 * - ISSUER_FUNDS: its signer got tokens from a declared account, or passed proceeds to one.
 * - SHARED_FUNDS: its signer shares a source or a receiver of tokens with other signers, which trade
 *   at least a tenth of its volume. So small trades that a third party sends to an account do not
 *   mark its trades.
 */
export type OwnFlowKind = 'ISSUER' | 'ISSUER_FUNDS' | 'SHARED_FUNDS'

type Party = Pick<TapeTrade, 'origin' | 'sender' | 'recipient' | 'volumeQuote'>
type Links = Pick<VenueFunding, 'sources' | 'contracts' | 'receivers'>

/**
 * Trades of the issuer and of accounts with common funds. No number of accounts exempts a source: a
 * customer of an exchange can count as own flow, because an owner can use as many accounts.
 *
 * @param venues funding that was read for the trades
 * @param issuer declared accounts, spelled as in the trades
 */
export function findOwnTrades<Trade extends Party>(
  trades: readonly Trade[],
  venues: readonly { readonly funding?: Links | undefined }[],
  issuer: ReadonlySet<string>,
): ReadonlyMap<Trade, OwnFlowKind> {
  const volumes = new Map<string, bigint>()
  for (const { origin, volumeQuote } of trades) {
    if (origin !== null) volumes.set(origin, (volumes.get(origin) ?? 0n) + volumeQuote)
  }
  const read = venues.flatMap(({ funding }) => funding ?? [])
  const links = read.flatMap(({ sources, contracts, receivers }) => [
    ...sources.map((one) => ({ ...one, isContract: false })),
    ...contracts.map((one) => ({ ...one, isContract: true })),
    ...receivers,
  ])
  const byIssuer = new Set(
    links.filter(({ address }) => issuer.has(address)).flatMap(({ traders }) => traders),
  )
  // Contracts serve unrelated owners, so a common contract proves no common owner.
  const shared = signersWithCommonFunds(
    volumes,
    links.filter(({ isContract }) => !isContract),
  )
  const kindOf = ({ origin, sender, recipient }: Trade): OwnFlowKind | null => {
    if ([origin, sender, recipient].some((one) => one !== null && issuer.has(one))) return 'ISSUER'
    if (origin === null) return null
    if (byIssuer.has(origin)) return 'ISSUER_FUNDS'
    return shared.has(origin) ? 'SHARED_FUNDS' : null
  }
  return new Map(
    trades.flatMap((trade) => {
      const kind = kindOf(trade)
      return kind === null ? [] : [[trade, kind] as const]
    }),
  )
}

/** The others of a group must trade at least this part of a signer's volume to mark it. */
const leastPart = 10n

/**
 * Signers that share an account with other signers of comparable volume, or trade with tokens of
 * one.
 *
 * @param volumes quote volume of each signer
 */
function signersWithCommonFunds(
  volumes: ReadonlyMap<string, bigint>,
  links: readonly TraderLink[],
): ReadonlySet<string> {
  const byAccount = new Map<string, Set<string>>()
  for (const { address, traders } of links) {
    const known = byAccount.get(address) ?? new Set(volumes.has(address) ? [address] : [])
    for (const trader of traders) if (volumes.has(trader)) known.add(trader)
    byAccount.set(address, known)
  }
  const volumeOf = (signer: string) => volumes.get(signer) ?? 0n
  const marked = [...byAccount.values()].flatMap((group) => {
    const whole = [...group].reduce((sum, signer) => sum + volumeOf(signer), 0n)
    return [...group].filter(
      (signer) => group.size > 1 && (whole - volumeOf(signer)) * leastPart >= volumeOf(signer),
    )
  })
  return new Set(marked)
}

import type { contract } from '@liquidity-os/contract'
import { type FundedShare, type Funding, MOST_FUNDED } from '@liquidity-os/engine/detection'
import type { MarketEvent } from '@liquidity-os/engine/replay'
import { isTrade } from '../integrations/chain/is-trade.ts'

/**
 * Data on the funding of traders from observations of a venue. Plain data: crosses a thread
 * boundary.
 */
export interface VenueFunding {
  /** True if it was read for every trader of the observations. */
  readonly isRead: boolean
  readonly sources: contract.ObservedFunding['sources']
  /** Contracts among the sources, and receivers of proceeds; both empty if not read. */
  readonly contracts: readonly TraderLink[]
  readonly receivers: readonly (TraderLink & { readonly isContract: boolean })[]
}

/** An account that shares tokens with traders. */
export interface TraderLink {
  readonly address: string
  readonly traders: readonly string[]
}

type Observed = Pick<contract.VenueObservation, 'counts' | 'funding'>

const hasTrades = ({ counts }: Observed) =>
  Object.entries(counts).some(
    ([type, count]) => count > 0 && isTrade({ type: type as MarketEvent['type'] }),
  )

/** Combined data from the observations of one venue. */
export function fundingAmong(observed: readonly Observed[]): VenueFunding {
  const traded = observed.filter(hasTrades)
  const read = traded.flatMap(({ funding }) => funding ?? [])
  const receivers = read.flatMap((one) => one.receivers ?? [])
  const receiversOf = (isContract: boolean) =>
    joined(receivers.filter((one) => one.isContract === isContract)).map((one) => ({
      ...one,
      isContract,
    }))
  return {
    isRead: traded.every(
      ({ funding }) => funding?.isComplete === true && funding.receivers !== undefined,
    ),
    sources: joined(read.flatMap(({ sources }) => sources)),
    contracts: joined(read.flatMap(({ contracts }) => contracts ?? [])),
    receivers: [...receiversOf(false), ...receiversOf(true)],
  }
}

function joined(links: readonly TraderLink[]): contract.ObservedFunding['sources'] {
  const byAddress = new Map<string, Set<string>>()
  for (const { address, traders } of links) {
    const known = byAddress.get(address) ?? new Set<string>()
    for (const trader of traders) known.add(trader)
    byAddress.set(address, known)
  }
  return [...byAddress].map(([address, traders]) => ({ address, traders: [...traders] }))
}

/** The same over several venues, in the form of the wash-trade detector. */
export function fundingOfVenues(
  venues: readonly { readonly funding?: VenueFunding | undefined }[],
): { readonly isRead: boolean; readonly funding: Funding } {
  const funding = new Map<string, Set<string>>()
  for (const { address, traders } of venues.flatMap(({ funding: read }) => read?.sources ?? [])) {
    for (const trader of traders) {
      const known = funding.get(trader)
      if (known) known.add(address)
      else funding.set(trader, new Set([address]))
    }
  }
  return { isRead: venues.every(({ funding: read }) => read?.isRead === true), funding }
}

/** Code of the gap for an account that funds several traders. */
export const tradersFundedTogether = 'TRADERS_FUNDED_TOGETHER'

/** Gap text: one account funds several traders. */
export function fundedTogether({ source, traders, sharePips }: FundedShare, all: number) {
  const share = `${Number(sharePips) / 10_000}`
  const meaning =
    traders.size > MOST_FUNDED
      ? 'An account that funds this many traders counts as an exchange.'
      : 'They can have one owner; an exchange also funds unrelated traders.'
  return {
    code: tradersFundedTogether,
    detail: `One account funded or paid for ${traders.size} of ${all} traders, with ${share} % of the volume: ${source}. ${meaning}`,
  }
}

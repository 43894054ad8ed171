import { type Address, getAddress } from 'viem'
import { v2PairAbi, v3PoolAbi } from '../../../../integrations/chain/abis.ts'
import { allowanceAbi, positionManagerAbi } from '../../../../integrations/chain/periphery-abis.ts'
import { decodedLog, type WalletLog } from '../../../../integrations/chain/wallet-transaction.ts'
import type { PlanVenue, Realized } from '../plan-types.ts'

/**
 * Effects of a step from its logs: net tokens of the wallet, liquidity, and a minted position
 * token.
 */
export function realizedOf(
  logs: readonly WalletLog[],
  terms: {
    readonly wallet: Address
    readonly pair: { readonly base: string; readonly quote: string }
    readonly venue: PlanVenue | null
    readonly positionManager: Address | null
  },
): Omit<Realized, 'depth'> {
  const { wallet, pair, venue, positionManager } = terms
  const delta = { base: 0n, quote: 0n }
  let liquidity = 0n
  let tokenId: string | null = null
  for (const log of logs) {
    const address = getAddress(log.address)
    const token =
      address === getAddress(pair.base)
        ? 'base'
        : address === getAddress(pair.quote)
          ? 'quote'
          : null
    if (token !== null) delta[token] += transferred(log, wallet)
    if (venue !== null && address === getAddress(venue.profile.address)) {
      liquidity += liquidityIn(log, venue, wallet)
    }
    const managed =
      positionManager !== null && address === positionManager
        ? decodedLog(positionManagerAbi, log)
        : null
    if (managed) tokenId = `${managed.args.tokenId}`
  }
  return {
    delta: { base: `${delta.base}`, quote: `${delta.quote}` },
    liquidity: `${liquidity < 0n ? -liquidity : liquidity}`,
    tokenId,
  }
}

/** Net amount of a transfer for the wallet; outflows are negative. */
function transferred(log: WalletLog, wallet: Address): bigint {
  const event = decodedLog(allowanceAbi, log)
  if (event?.eventName !== 'Transfer') return 0n
  const { from, to, value } = event.args
  return (to === wallet ? value : 0n) - (from === wallet ? value : 0n)
}

function liquidityIn(log: WalletLog, { profile }: PlanVenue, wallet: Address): bigint {
  // Liquidity of a v2 pair is a token in the wallet.
  if (profile.kind === 'UNISWAP_V2')
    return decodedLog(v2PairAbi, log) ? 0n : transferred(log, wallet)
  const event = decodedLog(v3PoolAbi, log)
  return event?.eventName === 'Mint' || event?.eventName === 'Burn' ? event.args.amount : 0n
}

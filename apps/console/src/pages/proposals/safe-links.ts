/** Chain prefixes of Safe{Wallet} by chain ID (EIP-3770 short names). */
const prefixes: Readonly<Record<number, string>> = {
  1: 'eth',
  10: 'oeth',
  56: 'bnb',
  137: 'matic',
  8453: 'base',
  42161: 'arb1',
}

const transactionBuilder = 'https://apps-portal.safe.global/tx-builder'

/** Page of Safe{Wallet} with the Transaction Builder for a Safe; null on other chains. */
export function builderLink(chainId: number, safe: string): string | null {
  const prefix = prefixes[chainId]
  if (prefix === undefined) return null
  const app = encodeURIComponent(transactionBuilder)
  return `https://app.safe.global/apps/open?safe=${prefix}:${safe}&appUrl=${app}`
}

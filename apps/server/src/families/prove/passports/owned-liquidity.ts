import { contract } from '@liquidity-os/contract'
import type { ClaimEvidence } from './claim-evidence.ts'
import type { OwnedPositions } from './positions.ts'

type Proofs = contract.OwnedLiquidity['positions']['proofs']
type Proven = {
  readonly entry: { readonly id: string; readonly resourceVersion: string }
  readonly control: {
    readonly evidence: { readonly id: string; readonly resourceVersion: string }
    readonly until: string
  }
}

const proofsOf = (entries: readonly Proven[]): Proofs =>
  entries.slice(0, contract.maxOwnedProofs).map(({ entry, control }) => ({
    entry: { ...entry },
    evidence: { ...control.evidence },
    until: control.until,
  }))

/** Own liquidity by kind, from the evidence of a publication. */
export function ownedLiquidityOf(
  { treasury }: ClaimEvidence,
  { positions }: OwnedPositions,
): contract.OwnedLiquidity | null {
  if (!treasury) return null
  const { owned, idle } = treasury
  const holding = (token: 'base' | 'quote') => idle.filter((entry) => entry[token] !== '0')
  return {
    positions: { ...owned.positions, proofs: proofsOf(positions) },
    quoteBalances: { quote: owned.quoteBalance, proofs: proofsOf(holding('quote')) },
    ownTokens: { ...owned.ownTokens, proofs: proofsOf(holding('base')) },
  }
}

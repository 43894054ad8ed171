import type { contract } from '@liquidity-os/contract'
import type { Header } from '../../../integrations/chain/header.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'

type Receipt = contract.CustodyReceipt

/** What a statement comes with to be verified. */
export interface Claim {
  readonly statement: contract.CustodyStatement
  readonly signature: contract.CustodySignature
  /** Milliseconds since 1970. */
  readonly now: number
}

/** What was read of the holdings of a statement at its block. */
export interface ObservedHoldings {
  readonly block: Header
  readonly observed: Receipt['observed']
  readonly artifacts: readonly Omit<ArtifactInsert, 'producer'>[]
}

/** What the verification of a statement found; a receipt says it. */
export interface Verified {
  readonly authority: Receipt['authority']
  readonly signedDigest: string | null
  readonly snapshot: Receipt['snapshot']
  readonly holdings: ObservedHoldings | null
  readonly assurance: Receipt['assurance']
  readonly limitations: readonly string[]
  /** Sentences for the checks of signature and control. */
  readonly told: { readonly signature: string; readonly control: string }
  /** Records that must still be what they were when the evidence is kept. */
  readonly expects: readonly { readonly id: string; readonly sequence: number }[]
}

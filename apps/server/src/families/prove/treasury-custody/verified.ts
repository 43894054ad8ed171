import type { contract } from '@liquidity-os/contract'
import type { Header } from '../../../integrations/chain/header.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'

type Receipt = contract.CustodyReceipt

export interface Claim {
  readonly statement: contract.CustodyStatement
  readonly signature: contract.CustodySignature
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface ObservedHoldings {
  readonly block: Header
  readonly observed: Receipt['observed']
  readonly artifacts: readonly Omit<ArtifactInsert, 'producer'>[]
}

/** Result of a verification, recorded in a receipt. */
export interface Verified {
  readonly authority: Receipt['authority']
  readonly signedDigest: string | null
  readonly snapshot: Receipt['snapshot']
  readonly holdings: ObservedHoldings | null
  readonly assurance: Receipt['assurance']
  readonly limitations: readonly string[]
  /** Texts for the checks of signature and control. */
  readonly checkTexts: { readonly signature: string; readonly control: string }
  /** Records that must be unchanged when the evidence is stored. */
  readonly expects: readonly { readonly id: string; readonly sequence: number }[]
}

import type { contract } from '@liquidity-os/contract'

/** Chart input: a proposal or a comparison. */
export type Drawn =
  | { readonly proposal: contract.ProposalWorkspace }
  | { readonly comparison: contract.ProposalComparison }

/** Short form of an address or a user id: both ends. */
export const shortened = (text: string) =>
  text.length <= 20 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`

export const lights = { sound: '#009e73', open: '#0072b2', wrong: '#d55e00' } as const

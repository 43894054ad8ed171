/**
 * Revert reasons of the deployed contracts. The empty reason is a `require` without a message or an
 * arithmetic check; `INVALID` is an assertion that consumed all gas.
 */
export type RevertReason =
  | ''
  | 'INVALID'
  | 'AI'
  | 'AS'
  | 'F0'
  | 'F1'
  | 'I'
  | 'IIA'
  | 'L'
  | 'LA'
  | 'LO'
  | 'LOK'
  | 'LS'
  | 'M0'
  | 'M1'
  | 'NP'
  | 'OLD'
  | 'R'
  | 'SPL'
  | 'T'
  | 'TF'
  | 'TLM'
  | 'TLU'
  | 'TUM'
  | `UniswapV2: ${string}`
  | `UniswapV2Library: ${string}`
  | `ds-math-${string}`

/** The deployed contract would revert here. The state is unchanged. */
export class PoolRevertError extends Error {
  readonly reason: RevertReason

  constructor(facts: { reason: RevertReason }) {
    super(
      facts.reason === ''
        ? 'the pool reverts without a reason'
        : `the pool reverts: ${facts.reason}`,
    )
    this.name = 'PoolRevertError'
    this.reason = facts.reason
  }
}

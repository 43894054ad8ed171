import type { contract } from '@liquidity-os/contract'

/** Titles of warnings for reviewers; the detail of a flag follows. */
export const flagTitles: Readonly<Record<contract.ProposalFlagCode, string>> = {
  DELEGATECALL: 'Runs foreign code as the Safe',
  UNKNOWN_SELECTOR: 'Unknown function',
  TARGET_WITHOUT_CODE: 'The target has no code',
  SIMULATION_REVERTS: 'The simulation fails',
  CONTROL_CHANGE: 'Changes who controls the Safe',
  EFFECT_OUTSIDE_EXPECTED: 'Moves more than expected',
  UNLIMITED_APPROVAL: 'Allowance without limit',
  RECIPIENT_NOT_SAFE: 'Sends funds outside the Safe',
  NESTED_BATCH: 'Batch inside a batch',
  NEW_COUNTERPARTY: 'New counterparty',
  SIMULATION_PARTIAL: 'The simulation is incomplete',
  SOURCE_SUPERSEDED: 'A source has a newer version',
  NO_POLICY: 'No policy covers this action',
  POLICY_NOT_ALLOWED: 'The policy does not allow this',
}

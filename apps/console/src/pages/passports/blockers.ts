import type { contract } from '@liquidity-os/contract'
import type { Target } from '../../declared/pages.ts'
import { toList, toPage, toRecord } from '../../ui/page-link.tsx'

/** The action that removes a blocker. */
export interface Cure {
  readonly label: string
  readonly to: Target
}

interface Subject {
  readonly vaultId: string
  readonly pairKey: string
}

const score: (subject: Subject) => Cure = () => ({
  label: 'Compute a score',
  to: toList('scores', { form: 'createScores' }),
})
const holdings: (subject: Subject) => Cure = () => ({
  label: 'Open the ledger',
  to: toList('treasury-entries'),
})

type Code = contract.PassportBlockerCode

const cures: Readonly<Record<Code, (subject: Subject) => Cure>> = {
  VAULT_UNQUALIFIED: ({ vaultId }) => ({
    label: 'Open the vault',
    to: toRecord('vaults', vaultId),
  }),
  CONTROL_PROOF_MISSING: () => ({
    label: 'Prove control',
    to: toList('treasury/project-control/proofs'),
  }),
  SCORE_NOT_ACTIVE: score,
  SCORE_WITHOUT_CLAIMS: score,
  DEPTH_NOT_AT_BOUND_STATE: score,
  OBSERVATION_MISSING: ({ pairKey }) => ({
    label: 'Open the market',
    to: toPage(`markets/${pairKey}`),
  }),
  SIGNER_MISSING: () => ({
    label: 'Register an issuer key',
    to: toList('providers', { form: 'putOperatingSystemProvider' }),
  }),
  REPORT_MISSING: () => ({ label: 'Create a report', to: toList('studies') }),
  INCIDENTS_TOO_MANY: () => ({ label: 'Open the anomalies', to: toList('anomalies') }),
  MANDATES_TOO_MANY: () => ({ label: 'Open the mandates', to: toPage('makers') }),
  POSITIONS_NOT_READ: holdings,
  TREASURY_VALUE_UNKNOWN: holdings,
}

/** The cure of a blocker; null for a blocker of a later release. */
export const cureFor = (code: string, subject: Subject): Cure | null =>
  isKnown(code) ? cures[code](subject) : null

const isKnown = (code: string): code is Code => Object.hasOwn(cures, code)

const sentences: Readonly<Record<Code, string>> = {
  VAULT_UNQUALIFIED: 'The vault does not qualify. Its page lists the failed checks.',
  CONTROL_PROOF_MISSING: 'No current control proof ends at this Safe.',
  SCORE_NOT_ACTIVE: 'The market has no active quality score.',
  SCORE_WITHOUT_CLAIMS: 'The quality score supports no passport claims.',
  OBSERVATION_MISSING: 'A venue of the score has no current observation.',
  DEPTH_NOT_AT_BOUND_STATE:
    'The market moved after the score. Compute a score for a window that ends with the last observed block.',
  SIGNER_MISSING: 'No issuer key is registered.',
  REPORT_MISSING: 'The market has no signed report of a completed study.',
  INCIDENTS_TOO_MANY: 'The market has more than 256 incidents.',
  MANDATES_TOO_MANY: 'More than 64 market maker mandates are in force.',
  POSITIONS_NOT_READ:
    'A liquidity position or balance has no reading in the last 24 hours. Refresh its ledger entry, or do not disclose the liquidity by owner.',
  TREASURY_VALUE_UNKNOWN:
    'A holding has no value in this market. Do not disclose the liquidity by owner.',
}

/** Text of a blocker; the detail of the service for a blocker of a later release. */
export const blockerText = ({ code, detail }: { code: string; detail: string }): string =>
  isKnown(code) ? sentences[code] : detail

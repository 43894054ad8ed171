import type { contract } from '@liquidity-os/contract'
import { daySeconds } from '../../../../units.ts'
import { isVesting } from '../planning/deployment.ts'

type Step = contract.TimelineStepInput
type Gate = NonNullable<Step['gate']>

interface Terms {
  readonly at: number
  readonly key: string
  readonly title: string
  readonly ownerRole: Step['ownerRole']
  readonly dependsOn?: readonly string[]
  readonly gate?: Gate
  readonly kind?: Step['kind']
  readonly days?: number
  readonly evidence?: Step['requiredEvidence'][number]['kind']
}

type Allocations = Parameters<typeof isVesting>[0]

/** Steps without transactions if the plan has no vesting. */
const ofVesting: readonly string[] = ['vesting-deployed', 'vesting-funded']

/**
 * The standard launch plan: tracks for legal, contract, capital and control that join at the
 * decision. On-chain gates use the addresses of the plan's deployment.
 */
export function standardSteps(allocations: Allocations): Step[] {
  return terms
    .map((one) =>
      ofVesting.includes(one.key) && !isVesting(allocations) ? withoutEvidence(one) : one,
    )
    .map(toStep)
}

const withoutEvidence = ({ evidence: _, ...one }: Terms): Terms => one

function toStep({ at, days = 1, gate, dependsOn = [], evidence, ...one }: Terms): Step {
  return {
    key: one.key,
    title: one.title,
    ownerRole: one.ownerRole,
    kind: one.kind ?? (gate ? 'GATE' : 'TASK'),
    offsetSeconds: at * daySeconds,
    durationSeconds: days * daySeconds,
    dependsOn: [...dependsOn],
    ...(gate ? { gate } : {}),
    requiredEvidence: evidence ? [{ kind: evidence, minimum: 1 }] : [],
  }
}

const terms: readonly Terms[] = [
  {
    at: -90,
    key: 'legal-opinion',
    title: 'Legal opinion',
    ownerRole: 'OWNER',
    days: 30,
    evidence: 'DOCUMENT',
  },
  {
    at: -75,
    key: 'audit-report',
    title: 'Audit report',
    ownerRole: 'OPERATOR',
    days: 30,
    evidence: 'DOCUMENT',
  },
  {
    at: -60,
    key: 'allocations-final',
    title: 'Final allocations',
    ownerRole: 'OWNER',
    dependsOn: ['legal-opinion'],
    evidence: 'DOCUMENT',
  },
  {
    at: -45,
    key: 'vesting-deployed',
    title: 'Vesting deployed',
    ownerRole: 'OPERATOR',
    dependsOn: ['audit-report', 'allocations-final'],
    evidence: 'TRANSACTION',
  },
  {
    at: -40,
    key: 'vesting-funded',
    title: 'Vesting funded',
    ownerRole: 'TREASURY_ADMIN',
    dependsOn: ['vesting-deployed'],
    gate: { kind: 'VESTING_FUNDED_AS_PLANNED' },
    evidence: 'TRANSACTION',
  },
  {
    at: -35,
    key: 'capital-study',
    title: 'Capital study',
    ownerRole: 'ANALYST',
    dependsOn: ['allocations-final'],
    evidence: 'RECORD',
  },
  {
    at: -30,
    key: 'stress-passed',
    title: 'Treasury stress test',
    ownerRole: 'TREASURY_ADMIN',
    dependsOn: ['capital-study'],
    gate: { kind: 'STRESS_WITHIN_LIMITS' },
  },
  {
    at: -30,
    key: 'maker-terms',
    title: 'Market maker terms',
    ownerRole: 'OPERATOR',
    dependsOn: ['capital-study'],
    evidence: 'RECORD',
  },
  {
    at: -21,
    key: 'control-proven',
    title: 'Token control proof',

    ownerRole: 'OWNER',
    dependsOn: ['audit-report'],
    gate: { kind: 'PROJECT_CONTROL_PROVEN' },
  },
  {
    at: -21,
    key: 'roles-handed-over',
    title: 'Role handover',
    ownerRole: 'OPERATOR',
    dependsOn: ['audit-report'],
    evidence: 'TRANSACTION',
    gate: { kind: 'TOKEN_CONTROLLED_AS_PLANNED' },
  },
  {
    at: -14,
    key: 'custody-current',
    title: 'Custody evidence',
    ownerRole: 'TREASURY_ADMIN',
    dependsOn: ['control-proven'],
    gate: { kind: 'CUSTODY_CURRENT' },
  },
  {
    at: -14,
    key: 'reconciled',
    title: 'Treasury reconciliation',
    ownerRole: 'TREASURY_ADMIN',
    dependsOn: ['custody-current'],
    gate: { kind: 'RECONCILIATION_AGREED' },
  },
  {
    at: -14,
    key: 'capital-reserved',
    title: 'Capital reservation',
    ownerRole: 'TREASURY_ADMIN',
    dependsOn: ['stress-passed', 'vesting-funded'],
    gate: { kind: 'CAPITAL_RESERVED' },
  },
  {
    at: -7,
    key: 'decision',
    title: 'Launch decision',
    ownerRole: 'OWNER',
    dependsOn: [
      ...['legal-opinion', 'maker-terms', 'roles-handed-over', 'reconciled', 'capital-reserved'],
    ],
    gate: { kind: 'HUMAN_APPROVAL' },
  },
  {
    at: -2,
    key: 'pool-check',
    title: 'Pool not initialized',
    ownerRole: 'OPERATOR',
    dependsOn: ['decision'],
    gate: { kind: 'POOL_CLEAR_AS_PLANNED' },
  },
  {
    at: 0,
    key: 'seed',
    title: 'Liquidity seeding',
    ownerRole: 'OPERATOR',
    days: 0,
    kind: 'MILESTONE',
    dependsOn: ['pool-check'],
    evidence: 'TRANSACTION',
  },
  {
    at: 0,
    key: 'watch-window',
    title: 'First-day monitoring',
    ownerRole: 'OPERATOR',
    kind: 'WINDOW',
    dependsOn: ['seed'],
  },
  {
    at: 7,
    key: 'depth-review',
    title: 'Depth review',
    ownerRole: 'ANALYST',
    kind: 'WINDOW',
    dependsOn: ['watch-window'],
    evidence: 'RECORD',
  },
  {
    at: 30,
    key: 'outcome-review',
    title: 'Decision review',
    ownerRole: 'OWNER',
    kind: 'WINDOW',
    dependsOn: ['depth-review'],
    evidence: 'RECORD',
  },
]

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
 * The usual way to a launch: tracks of law, contract, capital and control, which join at the decision. Gates of contracts take the
 * addresses from the deployment of the plan.
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
    title: 'Opinion of counsel',
    ownerRole: 'OWNER',
    days: 30,
    evidence: 'DOCUMENT',
  },
  {
    at: -75,
    key: 'audit-report',
    title: 'Report of the auditors',
    ownerRole: 'OPERATOR',
    days: 30,
    evidence: 'DOCUMENT',
  },
  {
    at: -60,
    key: 'allocations-final',
    title: 'Allocations are final',
    ownerRole: 'OWNER',
    dependsOn: ['legal-opinion'],
    evidence: 'DOCUMENT',
  },
  {
    at: -45,
    key: 'vesting-deployed',
    title: 'Vesting is deployed',
    ownerRole: 'OPERATOR',
    dependsOn: ['audit-report', 'allocations-final'],
    evidence: 'TRANSACTION',
  },
  {
    at: -40,
    key: 'vesting-funded',
    title: 'Vesting is funded',
    ownerRole: 'TREASURY_ADMIN',
    dependsOn: ['vesting-deployed'],
    gate: { kind: 'VESTING_FUNDED_AS_PLANNED' },
    evidence: 'TRANSACTION',
  },
  {
    at: -35,
    key: 'capital-study',
    title: 'Capital is studied',
    ownerRole: 'ANALYST',
    dependsOn: ['allocations-final'],
    evidence: 'RECORD',
  },
  {
    at: -30,
    key: 'stress-passed',
    title: 'The treasury stands shocks',
    ownerRole: 'TREASURY_ADMIN',
    dependsOn: ['capital-study'],
    gate: { kind: 'STRESS_WITHIN_LIMITS' },
  },
  {
    at: -30,
    key: 'maker-terms',
    title: 'Terms of market makers',
    ownerRole: 'OPERATOR',
    dependsOn: ['capital-study'],
    evidence: 'RECORD',
  },
  {
    at: -21,
    key: 'control-proven',
    title: 'Control of the token is proven',

    ownerRole: 'OWNER',
    dependsOn: ['audit-report'],
    gate: { kind: 'PROJECT_CONTROL_PROVEN' },
  },
  {
    at: -21,
    key: 'roles-handed-over',
    title: 'Roles are handed over',
    ownerRole: 'OPERATOR',
    dependsOn: ['audit-report'],
    evidence: 'TRANSACTION',
    gate: { kind: 'TOKEN_CONTROLLED_AS_PLANNED' },
  },
  {
    at: -14,
    key: 'custody-current',
    title: 'Custody is shown',
    ownerRole: 'TREASURY_ADMIN',
    dependsOn: ['control-proven'],
    gate: { kind: 'CUSTODY_CURRENT' },
  },
  {
    at: -14,
    key: 'reconciled',
    title: 'Books agree with the chain',
    ownerRole: 'TREASURY_ADMIN',
    dependsOn: ['custody-current'],
    gate: { kind: 'RECONCILIATION_AGREED' },
  },
  {
    at: -14,
    key: 'capital-reserved',
    title: 'Capital is reserved',
    ownerRole: 'TREASURY_ADMIN',
    dependsOn: ['stress-passed', 'vesting-funded'],
    gate: { kind: 'CAPITAL_RESERVED' },
  },
  {
    at: -7,
    key: 'decision',
    title: 'The launch is decided',
    ownerRole: 'OWNER',
    dependsOn: [
      ...['legal-opinion', 'maker-terms', 'roles-handed-over', 'reconciled', 'capital-reserved'],
    ],
    gate: { kind: 'HUMAN_APPROVAL' },
  },
  {
    at: -2,
    key: 'pool-check',
    title: 'Nobody initialised the pool',
    ownerRole: 'OPERATOR',
    dependsOn: ['decision'],
    gate: { kind: 'POOL_CLEAR_AS_PLANNED' },
  },
  {
    at: 0,
    key: 'seed',
    title: 'Liquidity is seeded',
    ownerRole: 'OPERATOR',
    days: 0,
    kind: 'MILESTONE',
    dependsOn: ['pool-check'],
    evidence: 'TRANSACTION',
  },
  {
    at: 0,
    key: 'watch-window',
    title: 'The first day is watched',
    ownerRole: 'OPERATOR',
    kind: 'WINDOW',
    dependsOn: ['seed'],
  },
  {
    at: 7,
    key: 'depth-review',
    title: 'Depth is reviewed',
    ownerRole: 'ANALYST',
    kind: 'WINDOW',
    dependsOn: ['watch-window'],
    evidence: 'RECORD',
  },
  {
    at: 30,
    key: 'outcome-review',
    title: 'The decision is reviewed',
    ownerRole: 'OWNER',
    kind: 'WINDOW',
    dependsOn: ['depth-review'],
    evidence: 'RECORD',
  },
]

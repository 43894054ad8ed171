import { contract } from '@liquidity-os/contract'
import { runInlineStudy } from '../../src/families/simulate/studies/run-inline-study.ts'
import type { StudySpec } from '../../src/families/simulate/studies/validate-spec.ts'
import { admissionStudies, type Study } from '../support/admissible.ts'
import {
  bootstrap,
  diversify,
  hashOf,
  type LegacyDocument,
  maintain,
} from '../support/legacy-documents.ts'
import { definitionFor, type ObservedVenue } from '../support/observed-venue.ts'
import { callOperation } from '../support/requests.ts'
import { score, storedScore } from '../support/scoring.ts'
import type { TestMember } from '../support/service.ts'
import { allocationOf } from './market-scenes.ts'
import type { Staged } from './scene.ts'
import { type Act, type ActContext, done } from './scene-state.ts'

/** An organization with an observed venue. */
export interface Desk extends ActContext {
  /** Who may approve what the owner wrote. */
  readonly operator: TestMember
  readonly observed: ObservedVenue
  readonly scored: object
}

interface Wrapping {
  readonly payload: { readonly v1Document: LegacyDocument; readonly v1EvidenceHash: string }
}

interface Recorded {
  readonly id: string
  readonly resourceVersion: string
}
const reason = 'For the walk'
const evidenceHashes = [`0x${'ab'.repeat(32)}`]
const zeros = '0'.repeat(32)

async function aStrategy({ owner, observed }: Desk, status = 'DRAFT') {
  const body = { payload: definitionFor(observed), status, reason }
  return (await done<{ strategy: Recorded }>(owner, 'createStrategies', body)).strategy
}

/** Created once per organization: every body references it and none changes it. */
function once<Made>(make: (desk: Desk) => Promise<Made>): (desk: Desk) => Promise<Made> {
  const made = new WeakMap<TestMember, Promise<Made>>()
  return (desk) => {
    const found = made.get(desk.owner) ?? make(desk)
    made.set(desk.owner, found)
    return found
  }
}

const studiesOf = once(async (desk): Promise<readonly Study[]> => {
  const { id } = await aStrategy(desk, 'VALIDATED')
  const strategy = await callOperation<never>(desk.owner, 'getStrategies', { params: { id } })
  const { replay, paths } = await admissionStudies(desk.owner, strategy.data)
  return [replay, paths]
})

/** A launch at the observed venue, with the study of the capital that it takes. */
async function aLaunchPlan({ owner, observed }: Desk) {
  const { venue, pair } = observed
  const keyOf = (address: string) => `eip155:${pair.chainId}/erc20:${address.toLowerCase()}`
  const tokens = { token: keyOf(pair.base), quote: keyOf(pair.quote) }
  const study = await done<Recorded & { resourceType: string }>(
    owner,
    'createCapitalRequirements',
    {
      payload: {
        ...contract.createCapitalRequirements.example.body.payload,
        ...tokens,
        targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: `${10n ** 16n}` }],
        reference: { kind: 'DECLARED', priceX18: `${10n ** 18n}` },
      },
      reason,
    },
  )
  const { resourceType, id, resourceVersion } = study
  return done<Recorded>(owner, 'createLaunchPlans', {
    payload: {
      ...contract.createLaunchPlans.example.body.payload,
      ...tokens,
      venueId: venue.id,
      capitalRequirement: { resourceType, id, resourceVersion },
    },
    reason,
  })
}

const packaged = contract.createStrategyPackageCandidate.example.body.payload
const candidateOf = once(async ({ service }) => {
  const { result } = await runInlineStudy(
    service.services.awaited,
    packaged.twin.spec as unknown as StudySpec,
  )
  const { twin, ...rest } = structuredClone(packaged)
  return { ...rest, twin: { ...twin, expectedResultHash: result.resultHash } }
})
const aPackage = async (desk: Desk) =>
  done<Recorded>(desk.owner, 'createStrategyPackageCandidate', {
    payload: await candidateOf(desk),
    reason,
  })
const approvedOf = once(async (desk) => {
  const { id, resourceVersion } = await aPackage(desk)
  const request = { params: { id }, ifMatch: resourceVersion }
  return done<Recorded>(desk.operator, 'approveStrategyPackage', { reason }, request)
})

const refOf = ({ id, resourceVersion }: Recorded) => ({ id, resourceVersion })
const ofPackage = async (desk: Desk): Promise<Staged> => {
  const { id, resourceVersion } = await aPackage(desk)
  return {
    by: desk.operator,
    request: { params: { id } },
    bodies: [{ resourceVersion, evidenceHashes, reason }],
  }
}

/** Measured score of the observed market, shared by all copies. */
const scoreOf = once(async ({ owner, scored }) => {
  const { data } = await score(owner, scored)
  return data.payload
})

/** Requests that act on a record of an organization with an observed venue. */
export const marketActs: Readonly<Record<string, Act<Desk>>> = {
  previewAllocationPlans: {
    stage: async ({ observed }) => ({
      bodies: [{ payload: allocationOf(observed) }],
    }),
  },
  supersedeStrategies: {
    stage: async (desk) => {
      const { id, resourceVersion } = await aStrategy(desk)
      return {
        request: { params: { id }, ifMatch: resourceVersion },
        bodies: [
          { payload: definitionFor(desk.observed), status: 'DRAFT', evidenceHashes, reason },
        ],
      }
    },
  },
  admitStrategyProposal: {
    stage: async (desk) => {
      const { id, resourceVersion } = await aStrategy(desk, 'VALIDATED')
      const limits = {
        maxFailurePips: 100_000,
        maxEs95LossPips: 900_000,
        minDepthTimeSharePips: 0,
      }
      const studies = (await studiesOf(desk)).map(refOf)
      const payload = { resourceVersion, studies, limits, validForSeconds: 3600 }
      const score = { id: `score_${zeros}`, resourceVersion }
      return {
        request: { params: { id } },
        bodies: [
          { payload, evidenceHashes, reason },
          // Rejected: this score does not exist.
          { payload: { ...payload, score }, reason },
        ],
      }
    },
  },
  activateMarketQualityScore: {
    stage: async (desk) => {
      const { service, owner } = desk
      const { id, resourceVersion } = await storedScore(service, owner, await scoreOf(desk))
      return {
        by: desk.operator,
        request: { params: { id } },
        bodies: [{ resourceVersion, keepActive: true, evidenceHashes, reason }],
      }
    },
  },
  wrapLegacyStrategyDefinition: {
    stage: async ({ observed }) => ({
      bodies: (
        [
          ['BOOTSTRAP', bootstrap()],
          ['MAINTAIN', maintain()],
          ['DIVERSIFY', diversify()],
        ] as const
      ).map(([v1Kind, written]) => {
        const v1Document = JSON.parse(JSON.stringify(written)) as LegacyDocument
        const v1EvidenceHash = hashOf(v1Document)
        const incidents = [
          {
            evidenceHash: evidenceHashes[0],
            severity: 'WARNING',
            openedAt: '2025-06-01T00:00:00.000Z',
            endedAt: '2025-06-02T00:00:00.000Z',
          },
        ]
        const payload = { v1Kind, v1Document, v1EvidenceHash, ...observed, incidents }
        return { payload, evidenceHashes, reason }
      }),
    }),
    sent: (changed, staged) => {
      const [{ payload }, { payload: before }] = [changed, staged] as [Wrapping, Wrapping]
      if (payload.v1EvidenceHash !== before.v1EvidenceHash) return changed
      return { ...changed, payload: { ...payload, v1EvidenceHash: hashOf(payload.v1Document) } }
    },
  },
  seedLaunchWorkspace: {
    stage: async (desk) => {
      const { id, resourceVersion } = await aLaunchPlan(desk)
      return {
        request: { params: { id } },
        bodies: [{ launchPlanResourceVersion: resourceVersion, reason }],
      }
    },
  },
  approveStrategyPackage: { stage: ofPackage },
  revokeStrategyPackage: { stage: ofPackage },
  createStrategyPackageCandidate: {
    stage: async (desk) => ({
      bodies: [
        { payload: await candidateOf(desk), evidenceHashes, reason },
        // Rejected: this package does not exist.
        {
          payload: {
            ...(await candidateOf(desk)),
            supersedes: { id: `strategy_package_${zeros}`, resourceVersion: evidenceHashes[0] },
          },
          reason,
        },
      ],
    }),
  },
  seedStrategyFromApprovedPackage: {
    stage: async (desk) => {
      const { id, resourceVersion } = await approvedOf(desk)
      const payload = {
        resourceVersion,
        parameters: { width: '150000' },
        ...desk.observed,
        capital: { maxBase: `${10n ** 18n}`, maxQuote: `${10n ** 18n}` },
        name: 'Of a package',
      }
      return { request: { params: { id } }, bodies: [{ payload, evidenceHashes, reason }] }
    },
  },
}

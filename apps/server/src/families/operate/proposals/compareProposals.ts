import { contract } from '@liquidity-os/contract'
import { H, type VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import type { Proposal } from '../../../market/proposals/agreed-packets.ts'
import type { ResourceType } from '../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { currentSources } from '../../sources.ts'
import { newestPrice, requireVault } from '../autonomy-policies/api.ts'
import { relationsOf } from './compare-metrics.ts'
import { metricsOf } from './packet-metrics.ts'
import { comparisons } from './records.ts'

const operation = contract.compareProposals
const resourceType = 'ProposalWorkspace'

/** Compares proposals of one vault by metrics. No weighting. */
export default comparisons.create(operation, async ({ body, records, now }) => {
  const { proposals: refs } = body.payload
  const found = (await currentSources(
    records,
    refs.map((ref, index) => ({
      ref: { resourceType, ...ref },
      at: `payload.proposals.${index}`,
    })),
  )) as Proposal[]
  const vaultId = requireComparable(found)
  const vault = await requireVault(records, vaultId, 'payload.proposals')
  const { pair, safeAddress } = vault.payload
  const price = await newestPrice(records, pair, Math.floor(now / 1000))
  const compared = await Promise.all(
    found.map(async (proposal) => ({
      proposal: { id: proposal.id, resourceVersion: proposal.resourceVersion },
      title: proposal.payload.title,
      metrics: metricsOf(proposal, {
        pair,
        now,
        safe: safeAddress,
        priceX36: price?.priceX36 ?? null,
        sources: await sourcesOf(records, proposal),
      }),
      flags: [...new Set(proposal.payload.flags.map(({ code }) => code))].toSorted(),
    })),
  )
  const relations = relationsOf(compared.map(({ proposal: { id }, metrics }) => ({ id, metrics })))
  const isOpen = relations.some(({ notCompared }) => notCompared.length > 0)
  const comparison = {
    vaultId,
    comparedAt: new Date(now).toISOString(),
    state: isOpen ? ('PARTIAL' as const) : ('COMPLETED' as const),
    proposals: compared,
    relations,
    sources: [...(price?.evidence ?? [])].slice(0, 8),
    executionAuthorityGranted: false as const,
    executionPerformed: false as const,
  }
  return {
    payload: { ...comparison, comparisonHash: H('proposal-comparison/v1', comparison) },
    status: comparison.state,
    event: 'proposal.compared',
    eventPayload: { vaultId, proposals: found.map(({ id }) => id) },
  }
})

/** @throws Failure 422 for proposals of several vaults, or a duplicate */
function requireComparable(found: readonly Proposal[]): string {
  const [first] = found
  if (!first) throw new Error('A comparison requires at least two proposals.')
  for (const [index, { id, payload }] of found.entries()) {
    const isTwice = found.findIndex((other) => other.id === id) !== index
    if (!isTwice && payload.vaultId === first.payload.vaultId) continue
    const message = isTwice
      ? `must be unique, got ${id} twice`
      : `must be for ${first.payload.vaultId}, got a proposal for ${payload.vaultId}`
    throw new Failure('LIQUIDITY_PROPOSAL_COMPARISON_INCOMPATIBLE', {
      fieldErrors: { [`payload.proposals.${index}`]: [message] },
    })
  }
  return first.payload.vaultId
}

/** The source versions of a proposal. */
async function sourcesOf(records: TenantRecords, { payload }: Proposal) {
  const found = await Promise.all(
    payload.sourceStates.map(({ source }) =>
      records.version(source.resourceType as ResourceType, source.id, source.resourceVersion),
    ),
  )
  return found.flatMap((one): VersionedRecord[] => (one ? [one.record] : []))
}

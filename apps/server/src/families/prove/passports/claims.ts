import type { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import { agreedLines } from './claim-evidence.ts'
import type { MeasuredDepth } from './depth-task.ts'
import { wasCritical } from './incidents.ts'
import { isOfMarket, type Mid, quoteLegsOf, worthOf } from './ledger.ts'
import { positionsOf } from './positions.ts'
import { lookbackSeconds, type PassportSources, snapshotSeconds } from './sources.ts'

export interface Blocker {
  readonly code: contract.PassportBlockerCode
  readonly detail: string
}

const MILLION = 1_000_000n
const secondsOf = (time: string) => Math.floor(Date.parse(time) / 1000)

/**
 * Exact claims of a passport from its sources, and the obstacles to publication. Pure: equal
 * sources give equal claims.
 */
export function claimsOf(
  sources: PassportSources,
  depth: MeasuredDepth | null,
  disclosure: contract.PassportDisclosure,
): { claims: contract.PassportClaims | null; blockers: Blocker[] } {
  const { score, vault } = sources
  const blockers = blockersOf(sources, depth)
  const measured = score?.payload.passportClaims
  if (!measured || !depth?.mid || blockers.length > 0) return { claims: null, blockers }
  const mid = { num: BigInt(depth.mid.num), den: BigInt(depth.mid.den) }
  if (disclosure.showTreasuryOwnership && !ownedPositions(sources)) {
    const detail =
      'A liquidity claim or balance of the Safe has no reading in the 24 hours before generatedAt. Refresh its ledger entry and compute the claims again, or omit showTreasuryOwnership.'
    return { claims: null, blockers: [{ code: 'POSITIONS_NOT_READ', detail }] }
  }
  const treasury = disclosure.showTreasuryOwnership ? treasuryOf(sources, mid) : {}
  if (treasury === null) {
    const detail =
      'A ledger entry is not of the pair or a claim on it, has no observation, or does not separate rented from owned liquidity. Omit showTreasuryOwnership.'
    return { claims: null, blockers: [{ code: 'TREASURY_VALUE_UNKNOWN', detail }] }
  }
  const { policy } = sources
  return {
    blockers,
    claims: {
      issuerName: sources.issuerName,
      usableDepthByTradeSize: measured.usableDepthByTradeSize.map((row) => ({ ...row })),
      historicalReliabilityPips: measured.historicalReliabilityPips,
      policyCompliancePips: complianceOf(sources),
      ...(disclosure.showPolicyLimits && policy ? { policyLimits: limitsOf(policy.payload) } : {}),
      reconciledPositionCount: agreedLines(sources).length,
      majorIncidentCount: majorIncidents(sources),
      ...treasury,
      ...(disclosure.showExternalManagerNames ? { externalManagerNames: managersOf(sources) } : {}),
      ...(disclosure.showIncidentDetails ? { incidentDetails: incidentDetailsOf(sources) } : {}),
      dataFreshnessSeconds:
        sources.generatedAt - oldestSource(sources, secondsOf(vault.payload.snapshot.timestamp)),
    },
  }
}

/** Positions behind the own liquidity; null if a position was not read. */
export const ownedPositions = ({ ledger, vault, generatedAt }: PassportSources) =>
  positionsOf({ ledger, pair: vault.payload.pair, generatedAt })

/** Market makers with a mandate in force and custodians, each name once, sorted by code units. */
function managersOf({ mandates, custodianNames }: PassportSources): string[] {
  const makers = mandates.map(({ payload }) => payload.marketMaker.name)
  return [...new Set([...makers, ...custodianNames])].sort()
}

function blockersOf(sources: PassportSources, depth: MeasuredDepth | null): Blocker[] {
  const { vault, proof, score, signer, reports, observations } = sources
  const blockers: Blocker[] = []
  const add = (code: Blocker['code'], detail: string) => void blockers.push({ code, detail })
  if (vault.payload.qualification !== 'QUALIFIED' || vault.status !== 'ACTIVE') {
    const failing = vault.payload.checks.flatMap(({ code, ok }) => (ok ? [] : [code]))
    add(
      'VAULT_UNQUALIFIED',
      `The vault is ${vault.status}. Failed checks: ${failing.join(', ') || 'none'}.`,
    )
  }
  if (!proof) add('CONTROL_PROOF_MISSING', 'No current control proof ends at the Safe.')
  if (!score) add('SCORE_NOT_ACTIVE', 'No score of the pair is ACTIVE.')
  else if (!score.payload.passportClaims)
    add('SCORE_WITHOUT_CLAIMS', 'The score supports no passport claims.')
  if (score && observations.some((one) => one === null)) {
    add('OBSERVATION_MISSING', 'A venue of the score has no current observation.')
  } else if (score?.payload.passportClaims && !isDepthBound(score.payload.passportClaims, depth)) {
    add(
      'DEPTH_NOT_AT_BOUND_STATE',
      'The market moved between the last sample of the score and the block of its last observation. Compute a score for a window that ends with that block.',
    )
  }
  if (signer?.status !== 'ACTIVE' || signer.payload.kind !== 'SIGNER_ED25519') {
    add('SIGNER_MISSING', 'Name an active provider of kind SIGNER_ED25519.')
  }
  if (reports.length === 0) add('REPORT_MISSING', 'The pair has no signed COMPLETED report.')
  if (Math.max(sources.incidents.length, sources.v1Incidents.length) > 256)
    add('INCIDENTS_TOO_MANY', 'The pair has more than 256 incidents.')
  if (sources.mandates.length > 64) {
    add('MANDATES_TOO_MANY', 'More than 64 market maker mandates are in force for the pair.')
  }
  return blockers
}

function isDepthBound(
  { usableDepthByTradeSize }: { usableDepthByTradeSize: readonly object[] },
  depth: MeasuredDepth | null,
): boolean {
  return depth?.mid != null && canonicalize(usableDepthByTradeSize) === canonicalize(depth.rows)
}

/**
 * Number of executions that complied with the policy in force, violated it, or were indeterminate.
 */
export function evaluatedExecutions({
  receipts,
}: Pick<PassportSources, 'receipts'>): contract.JudgedExecutions {
  const count = (verdict: string) =>
    receipts.filter(({ payload }) => payload.verdict === verdict).length
  return {
    compliant: count('COMPLIANT'),
    violating: count('VIOLATING'),
    indeterminate: count('INDETERMINATE'),
  }
}

/** Share of compliant executions, rounded down. Indeterminate executions count as violations. */
export function complianceOf(sources: Pick<PassportSources, 'receipts'>): number | null {
  const { compliant, violating, indeterminate } = evaluatedExecutions(sources)
  const all = compliant + violating + indeterminate
  return all === 0 ? null : Number((MILLION * BigInt(compliant)) / BigInt(all))
}

function majorIncidents({ incidents, v1Incidents, generatedAt }: PassportSources): number {
  const window = { from: generatedAt - lookbackSeconds, to: generatedAt }
  const critical = incidents.filter((one) => wasCritical(one, window))
  const ofV1 = v1Incidents.filter(({ severity }) => severity === 'CRITICAL')
  return new Set(critical.map(({ payload }) => payload.fingerprint)).size + ofV1.length
}

function incidentDetailsOf({ incidents, v1Incidents }: PassportSources) {
  const anomalies = incidents.map(({ payload, artifactHash }) => ({
    detectorVersion: payload.detectorVersion,
    kind: payload.kind,
    severity: payload.severity ?? ('INFO' as const),
    artifactHash,
  }))
  return {
    v1IncidentEvidenceHashes: v1Incidents.map(({ evidenceHash }) => evidenceHash),
    anomalies: anomalies.toSorted((a, b) => (a.artifactHash < b.artifactHash ? -1 : 1)),
  }
}

type Limits = NonNullable<contract.PassportClaims['policyLimits']>

/** The fourteen fields of a policy, verbatim. */
function limitsOf(policy: contract.AutonomyPolicy): Limits {
  const { minimumPriceX18, maximumPriceX18 } = policy
  return {
    level: policy.level as Limits['level'],
    maximumAmountPerTransaction: policy.maximumAmountPerTransaction,
    maximumDailyTurnover: policy.maximumDailyTurnover,
    maximumSlippagePips: policy.maximumSlippagePips,
    approvedContracts: policy.approvedContracts,
    approvedAssets: policy.approvedAssets,
    approvedAdapterIds: policy.approvedAdapterIds,
    minimumSecondsBetweenActions: policy.minimumSecondsBetweenActions,
    oracleMaximumAgeSeconds: policy.oracleMaximumAgeSeconds,
    expiresAt: policy.expiresAt,
    controlEpoch: policy.controlEpoch,
    publicMempoolFallbackAllowed: policy.publicMempoolFallbackAllowed,
    ...(minimumPriceX18 === undefined ? {} : { minimumPriceX18 }),
    ...(maximumPriceX18 === undefined ? {} : { maximumPriceX18 }),
  }
}

/** Null if a value is unknown. */
function treasuryOf(sources: PassportSources, mid: Mid) {
  const { ledger, vault, venues, observations } = sources
  const { pair } = vault.payload
  const owned = worthOf(ledger.owned, pair, mid)
  const external = worthOf(ledger.external, pair, mid)
  const claims = ledger.owned.filter((entry) => isOfMarket(entry, pair))
  const locked = venues.reduce((sum, { id }, index) => {
    const tvl = observations[index]?.payload.metrics.tvlQuote ?? '0'
    return ledger.rentedVenueIds.includes(id) ? sum + BigInt(tvl) : sum
  }, 0n)
  // Claims do not name their venue, so rented and own liquidity are separable only with one venue.
  const isSeparable =
    ledger.rentedVenueIds.length === 0 || claims.length === 0 || venues.length === 1
  const own = worthOf(claims, pair, mid)
  if (owned === null || external === null || own === null || !isSeparable) return null
  const rented = ledger.rentedVenueIds.length === 0 ? 0n : locked > own ? locked - own : 0n
  return {
    treasuryOwnedLiquidityQuote: `${quoteLegsOf(ledger.owned, pair)}`,
    rentedLiquidityQuote: `${rented}`,
    externalManagerExposureQuote: `${external}`,
  }
}

/** Time of the oldest source reading, in Unix seconds. */
function oldestSource({ score, reconciliation }: PassportSources, snapshot: number): number {
  const ends = [snapshot, ...(score ? [secondsOf(score.payload.window.to)] : [])]
  const asOf = reconciliation && snapshotSeconds(reconciliation.payload)
  return Math.min(...ends, ...(asOf == null ? [] : [asOf]))
}

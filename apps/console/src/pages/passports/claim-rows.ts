import type { contract } from '@liquidity-os/contract'
import { percentOf, shortDecimal } from '../../fields/numbers.ts'
import type { Asset } from '../../fields/units.tsx'

type Preparation = contract.PassportPreparation
export type DisclosureFlag = keyof contract.PassportDisclosure

/** Evidence of a claim: a record, or a count of records. */
export interface ClaimSource {
  readonly text: string
  /** Record whose page shows the evidence. */
  readonly recordId: string | null
  /** Time of the evidence; null if the record states it. */
  readonly at: string | null
}

export type ClaimState = 'READY' | 'BLOCKED' | 'WAITING' | 'WITHHELD' | 'NO_DATA'

export interface ClaimRow {
  readonly name: string
  /** Null if no value exists yet; `note` states why. */
  readonly value: string | null
  readonly source: ClaimSource | null
  readonly state: ClaimState
  readonly note: string | null
}

/** Claims that each blocker prevents, by the names of the rows. */
const blockedBy: Readonly<Record<contract.PassportBlockerCode, readonly string[]>> = {
  VAULT_UNQUALIFIED: ['Control of the vault'],
  CONTROL_PROOF_MISSING: ['Control of the vault'],
  SCORE_NOT_ACTIVE: ['Cost by trade size', 'Reliability'],
  SCORE_WITHOUT_CLAIMS: ['Cost by trade size', 'Reliability'],
  OBSERVATION_MISSING: ['Cost by trade size'],
  DEPTH_NOT_AT_BOUND_STATE: ['Cost by trade size'],
  SIGNER_MISSING: ['Issuer'],
  REPORT_MISSING: ['Signed report'],
  INCIDENTS_TOO_MANY: ['Critical incidents, 90 days', 'Incident details'],
  MANDATES_TOO_MANY: ['Market makers and custodians'],
  POSITIONS_NOT_READ: ['Liquidity by owner'],
  TREASURY_VALUE_UNKNOWN: ['Liquidity by owner'],
}

export const disclosures: readonly { flag: DisclosureFlag; label: string }[] = [
  { flag: 'showTreasuryOwnership', label: 'Liquidity by owner' },
  { flag: 'showExternalManagerNames', label: 'Market makers and custodians' },
  { flag: 'showIncidentDetails', label: 'Incident details' },
  { flag: 'showPolicyLimits', label: 'Policy limits' },
]

/** A row before its state is known. */
interface Draft {
  readonly name: string
  readonly flag?: DisclosureFlag
  readonly value: string | null
  readonly source: ClaimSource | null
  /** Why a computed claim has no value. */
  readonly missing?: string
}

const count = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`

/** Every claim that a passport can carry, with its value, its source and its state. */
export function claimRows(
  { claims, sourceBindings, claimBlockers, generatedAt }: Preparation,
  shown: ReadonlySet<DisclosureFlag>,
  quote: Asset,
): ClaimRow[] {
  const blocked = new Set(
    claimBlockers.flatMap(
      ({ code }) => Object.entries(blockedBy).find(([known]) => known === code)?.[1] ?? [],
    ),
  )
  const drafts = [
    ...marketRows(claims, sourceBindings, quote),
    ...operationRows(claims, sourceBindings, generatedAt),
    ...disclosedRows(claims, sourceBindings, quote),
  ]
  return drafts.map(({ name, flag, value, source, missing }): ClaimRow => {
    const row = { name, value, source }
    if (flag !== undefined && !shown.has(flag)) {
      return { ...row, value: null, source: null, state: 'WITHHELD', note: 'Not disclosed' }
    }
    if (blocked.has(name)) return { ...row, state: 'BLOCKED', note: 'Resolve the blocker' }
    if (claims === null) {
      return { ...row, state: 'WAITING', note: 'Computed after the blockers are resolved' }
    }
    return value === null
      ? { ...row, state: 'NO_DATA', note: missing ?? 'No data' }
      : { ...row, state: 'READY', note: null }
  })
}

type Claims = Preparation['claims']
type Bindings = Preparation['sourceBindings']

const recordSource = (text: string, recordId: string): ClaimSource => ({ text, recordId, at: null })
const countSource = (text: string, at: string): ClaimSource => ({ text, recordId: null, at })

function marketRows(claims: Claims, bindings: Bindings, quote: Asset): Draft[] {
  const score = bindings && recordSource('Market quality score', bindings.marketQualityScore.id)
  const [report] = bindings?.reports ?? []
  const vault = bindings && {
    ...recordSource('Vault', bindings.vault.id),
    at: bindings.blocks[0]?.timestamp ?? null,
  }
  return [
    {
      name: 'Issuer',
      value: claims?.issuerName ?? null,
      source: { text: 'Organization', recordId: null, at: null },
    },
    {
      name: 'Control of the vault',
      value: bindings && `Owners read at block ${bindings.blocks[0]?.number ?? ''}`,
      source: vault,
    },
    {
      name: 'Cost by trade size',
      value: claims?.usableDepthByTradeSize.map((row) => depthText(row, quote)).join('; ') ?? null,
      source: score,
    },
    {
      name: 'Reliability',
      value: claims && percentOf(claims.historicalReliabilityPips),
      source: score,
    },
    {
      name: 'Signed report',
      value: report === undefined ? null : count(bindings?.reports.length ?? 0, 'report'),
      source: report === undefined ? null : recordSource('Study', report.source.id),
    },
  ]
}

function operationRows(claims: Claims, bindings: Bindings, at: string): Draft[] {
  const { receipts, anomalies, reconciliation } = bindings ?? {}
  return [
    {
      name: 'Policy compliance',
      value: claims?.policyCompliancePips == null ? null : percentOf(claims.policyCompliancePips),
      missing: 'No executions in 90 days',
      source: receipts ? countSource(count(receipts.count, 'execution receipt'), at) : null,
    },
    {
      name: 'Reconciled positions',
      value: claims && `${claims.reconciledPositionCount}`,
      source: reconciliation
        ? recordSource('Reconciliation', reconciliation.id)
        : bindings && { text: 'No reconciliation in 7 days', recordId: null, at: null },
    },
    {
      name: 'Critical incidents, 90 days',
      value: claims && `${claims.majorIncidentCount}`,
      source: anomalies ? countSource(count(anomalies.count, 'anomaly', 'anomalies'), at) : null,
    },
  ]
}

function disclosedRows(claims: Claims, bindings: Bindings, quote: Asset): Draft[] {
  const amount = (atoms: string | undefined) =>
    atoms === undefined ? null : `${shortDecimal(BigInt(atoms), quote.decimals)} ${quote.symbol}`
  const owned = amount(claims?.treasuryOwnedLiquidityQuote)
  const { ledgerEntries, mandates, policy, anomalies, blocks } = bindings ?? {}
  const at = blocks?.[0]?.timestamp ?? ''
  const names = claims?.externalManagerNames
  const details = claims?.incidentDetails
  return [
    {
      name: 'Liquidity by owner',
      flag: 'showTreasuryOwnership',
      value:
        owned &&
        `Owned ${owned}, rented ${amount(claims?.rentedLiquidityQuote)}, with external managers ${amount(claims?.externalManagerExposureQuote)}`,
      source: ledgerEntries
        ? countSource(count(ledgerEntries.count, 'ledger entry', 'ledger entries'), at)
        : null,
    },
    {
      name: 'Market makers and custodians',
      flag: 'showExternalManagerNames',
      value: names ? names.join(', ') || 'None' : null,
      source: mandates ? countSource(count(mandates.length, 'mandate'), at) : null,
    },
    {
      name: 'Incident details',
      flag: 'showIncidentDetails',
      value: details
        ? count(details.anomalies.length + details.v1IncidentEvidenceHashes.length, 'incident')
        : null,
      source: anomalies ? countSource(count(anomalies.count, 'anomaly', 'anomalies'), at) : null,
    },
    {
      name: 'Policy limits',
      flag: 'showPolicyLimits',
      value: claims?.policyLimits ? `Level ${claims.policyLimits.level}` : null,
      missing: 'No policy is active',
      source: policy ? recordSource('Policy', policy.id) : null,
    },
  ]
}

function depthText(
  { tradeSizeQuote, buySlippagePips, sellSlippagePips }: Depth,
  quote: Asset,
): string {
  const size = `${shortDecimal(BigInt(tradeSizeQuote), quote.decimals)} ${quote.symbol}`
  return `${size}: buy ${percentOf(buySlippagePips)}, sell ${percentOf(sellSlippagePips)}`
}
type Depth = NonNullable<Claims>['usableDepthByTradeSize'][number]

import type { contract, FieldErrors } from '@liquidity-os/contract'
import { daySeconds, hourSeconds, minuteMilliseconds, weekSeconds } from '../../../units.ts'
import { bindingsOf } from './bindings.ts'
import { brandEnd, validateBrand } from './brand.ts'
import { refuse } from './check-form.ts'
import { claimsOf } from './claims.ts'
import type { MeasuredDepth } from './depth-task.ts'
import { differencesOf } from './differences.ts'
import { maxSeconds } from './preparePassport.ts'
import { type PassportSources, snapshotSeconds } from './sources.ts'

type Payload = contract.LiquidityPassport

const seconds = (time: string) => Math.floor(Date.parse(time) / 1000)

/** A qualified vault at the bound epoch, with a current proof of control. @throws Failure 409 */
export function requireVault({ sourceBindings }: Payload, { vault, proof }: PassportSources): void {
  const faults: Record<string, string[]> = {}
  const { qualification, controlEpoch } = vault.payload
  if (vault.status !== 'ACTIVE') {
    faults['payload.vaultId'] = [`must be a QUALIFIED vault, got ${qualification}`]
  }
  if (sourceBindings.controlEpoch !== controlEpoch) {
    faults['payload.sourceBindings.controlEpoch'] = [
      `expected ${controlEpoch}, got ${sourceBindings.controlEpoch}`,
    ]
  }
  if (!proof) {
    faults['payload.vaultId'] ??= ['must have a current control proof that ends at its Safe']
  }
  refuse('LIQUIDITY_PASSPORT_VAULT_UNQUALIFIED', faults)
}

/** Checks that the times of payload and sources are close enough. @throws Failure 409 */
export function requireFresh(payload: Payload, sources: PassportSources, now: number): void {
  refuse('LIQUIDITY_PASSPORT_FRESHNESS_WINDOW', {
    ...validateGeneratedAt(payload, now),
    ...validateFreshness(payload, sources),
  })
}

function validateGeneratedAt({ generatedAt }: Payload, now: number): FieldErrors {
  const at = Date.parse(generatedAt)
  if (at >= now - 10 * minuteMilliseconds && at <= now + minuteMilliseconds) return {}
  const text = `must be from 600 s before to 60 s after ${new Date(now).toISOString()}, got ${generatedAt}`
  return { 'payload.generatedAt': [text] }
}

function validateFreshness(payload: Payload, sources: PassportSources): FieldErrors {
  const { score, vault, reconciliation, proof, policy } = sources
  const { generatedAt, validUntil, disclosure } = payload
  const faults: Record<string, string[]> = {}
  const at = seconds(generatedAt)
  const consentEnd = brandEnd(sources)
  const recent = (name: string, read: number | null, max: number) => {
    if (read === null || (at - read <= max && read <= at)) return
    faults[`payload.sourceBindings.${name}`] = [
      `must be 0 to ${max} s before generatedAt, got ${at - read} s`,
    ]
  }
  recent('marketQualityScore', score && seconds(score.payload.window.to), daySeconds)
  recent('vault', seconds(vault.payload.snapshot.timestamp), hourSeconds)
  recent('reconciliation', reconciliation && snapshotSeconds(reconciliation.payload), weekSeconds)
  const ends = [
    at + maxSeconds,
    ...(score ? [seconds(score.payload.validUntil)] : []),
    ...(proof ? [seconds(proof.payload.validUntil)] : []),
    ...(disclosure.showPolicyLimits && policy ? [seconds(policy.payload.expiresAt)] : []),
    ...(consentEnd === null ? [] : [Math.floor(consentEnd / 1000)]),
  ]
  const latest = Math.min(...ends)
  const until = seconds(validUntil)
  if (until <= at || until > latest) {
    const text = `must be after generatedAt and at most ${new Date(latest * 1000).toISOString()}, got ${validUntil}`
    faults['payload.validUntil'] = [text]
  }
  return faults
}

/**
 * Requires exactly the current source versions.
 *
 * @throws Failure 409 with all differences
 */
export function requireBindings(payload: Payload, sources: PassportSources): void {
  const expected = bindingsOf(sources)
  const { marketQualityScoreId, sourceBindings, reportHashes } = payload
  const faults: Record<string, string[]> = {}
  if (!expected) {
    const [member, text] = missingSource(sources)
    faults[`payload.${member}`] = [text]
  } else {
    // Unusable reports have a separate error code.
    const isUsable = sources.reports.every(({ fault }) => fault === null)
    const received = isUsable ? sourceBindings : { ...sourceBindings, reports: expected.reports }
    Object.assign(faults, differencesOf(expected, received, 'payload.sourceBindings'))
    const inOrder = sourceBindings.reports.map(({ hash }) => hash)
    Object.assign(faults, differencesOf(reportHashes, inOrder, 'payload.sourceBindings.reports'))
    if (marketQualityScoreId !== expected.marketQualityScore.id) {
      faults['payload.marketQualityScoreId'] = [
        `expected ${expected.marketQualityScore.id}, got ${marketQualityScoreId}`,
      ]
    }
  }
  refuse('LIQUIDITY_PASSPORT_SOURCE_BINDING', faults)
}

/** First missing source of a passport, with the affected field. */
function missingSource({ score, signer, observations }: PassportSources): [string, string] {
  if (!score) return ['sourceBindings', 'no score of the pair is ACTIVE']
  if (!signer) return ['sourceBindings', 'the signer is not registered']
  return observations.some((one) => one === null)
    ? ['sourceBindings', 'a venue of the score has no current observation']
    : ['reportHashes', 'must name a report of this organization']
}

/** Payload fields that are claims; their presence is a claim too. */
const claimNames = [
  ...(['issuerName', 'usableDepthByTradeSize', 'historicalReliabilityPips'] as const),
  ...(['policyCompliancePips', 'policyLimits', 'reconciledPositionCount'] as const),
  ...(['majorIncidentCount', 'treasuryOwnedLiquidityQuote', 'rentedLiquidityQuote'] as const),
  ...(['externalManagerExposureQuote', 'externalManagerNames', 'incidentDetails'] as const),
  'dataFreshnessSeconds',
] as const

/** Claim controlled by each disclosure flag. Policy limits exist only with a policy. */
const shownBy = {
  showTreasuryOwnership: 'treasuryOwnedLiquidityQuote',
  showExternalManagerNames: 'externalManagerNames',
  showIncidentDetails: 'incidentDetails',
  showPolicyLimits: 'policyLimits',
} as const satisfies Record<keyof contract.PassportDisclosure, (typeof claimNames)[number]>

/** Disclosure flags that contradict the included claims. */
function validateDisclosure(
  payload: Payload,
  claims: Readonly<Record<string, unknown>>,
): FieldErrors {
  const flags = Object.keys(shownBy) as (keyof typeof shownBy)[]
  return Object.fromEntries(
    flags.flatMap((flag) => {
      const name = shownBy[flag]
      const isShown = payload[name] !== undefined
      if (isShown === (claims[name] !== undefined)) return []
      // The flag matches the payload, so only the claim itself is rejected.
      if (payload.disclosure[flag] === isShown) return []
      const text = `is ${payload.disclosure[flag]}, but ${name} is ${isShown ? 'there' : 'left out'}`
      return [[`payload.disclosure.${flag}`, [text]]]
    }),
  )
}

/**
 * Requires exact equality with the computed claims.
 *
 * @throws Failure 409 with all differences
 */
export function requireClaims(
  payload: Payload,
  sources: PassportSources,
  depth: MeasuredDepth | null,
): void {
  const { claims, blockers } = claimsOf(sources, depth, payload.disclosure)
  if (!claims) {
    refuse('LIQUIDITY_PASSPORT_CLAIM_MISMATCH', {
      payload: blockers.map(({ code, detail }) => `${code}: ${detail}`),
    })
    return
  }
  const received = Object.fromEntries(
    claimNames.flatMap((name) => (payload[name] === undefined ? [] : [[name, payload[name]]])),
  )
  refuse('LIQUIDITY_PASSPORT_CLAIM_MISMATCH', {
    ...differencesOf(claims, received, 'payload'),
    ...validateDisclosure(payload, claims),
  })
}

/**
 * Requires that the brand equals the partner's, with consent, and that every report is usable.
 *
 * @throws Failure 409
 */
export function requireBrandAndReports(payload: Payload, sources: PassportSources): void {
  const { reports } = sources
  refuse('LIQUIDITY_PASSPORT_BRAND_CONSENT', validateBrand(payload.reportBrand, sources))
  refuse(
    'LIQUIDITY_PASSPORT_REPORT_UNUSABLE',
    Object.fromEntries(
      reports.flatMap(({ fault }, index) =>
        fault === null ? [] : [[`payload.reportHashes.${index}`, [fault]]],
      ),
    ),
  )
}

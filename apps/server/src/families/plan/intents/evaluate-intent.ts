import type { contract, FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { ageInDays, wholeProjection } from '../../../market/treasury/active-records.ts'
import { tokenKey } from '../../../market/treasury/asset-keys.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { computeStudy, type StudyVersion } from '../capital-requirements/api.ts'
import { baseScenarioOf } from '../treasury-assumptions/api.ts'
import { isControlLive } from '../treasury-projections/api.ts'
import { treasurySettingsOf } from '../treasury-settings/api.ts'
import { intentChecks, type NamedVenue } from './intent-checks.ts'

type Input = contract.IssuerIntentInput
type Study = contract.CapitalRequirementStudy
type Intent = contract.IssuerIntent

/** An intent with its evidence, before either is stored. */
export interface Evaluated {
  readonly study: StudyVersion
  readonly projection: Intent['projection']
  readonly checks: Intent['checks']
}

/**
 * Validates dependencies between fields of an intent that the schema cannot express. @throws
 * Failure 409, 422
 */
export function requireSoundIntent({ authority, limits, horizon, success }: Input): void {
  if (authority === 'SPEND') {
    throw new Failure('LIQUIDITY_TYPED_AUTHORITY_REQUIRED', {
      fieldErrors: { 'payload.authority': ['must be NONE or omitted, got SPEND'] },
    })
  }
  const faults: FieldErrors = {}
  const { minimumPriceX18: low, maximumPriceX18: high, venueAllow = [], venueDeny = [] } = limits
  if (low !== undefined && high !== undefined && BigInt(low) > BigInt(high)) {
    faults['payload.limits.maximumPriceX18'] = [`must be at least ${low}, got ${high}`]
  }
  const both = venueDeny.findIndex((id) => venueAllow.includes(id))
  if (both >= 0) {
    faults[`payload.limits.venueDeny.${both}`] = [
      `must not also be in venueAllow, got ${venueDeny[both]}`,
    ]
  }
  if (Date.parse(horizon.to) <= Date.parse(horizon.from)) {
    faults['payload.horizon.to'] = [`must be after ${horizon.from}, got ${horizon.to}`]
  }
  for (const [index, { metric, movePips }] of success.entries()) {
    if ((metric === 'DEPTH_QUOTE') === (movePips !== undefined)) continue
    const requirement = metric === 'DEPTH_QUOTE' ? 'is required' : 'must be omitted'
    faults[`payload.success.${index}.movePips`] = [`${requirement} with ${metric}`]
  }
  if (Object.keys(faults).length === 0) return
  throw new Failure('LIQUIDITY_INTENT_INVALID', { fieldErrors: faults })
}

/** Capital study request of an intent; its limits are the budget. */
export function studyRequestOf(intent: Input): contract.CapitalRequirementInput {
  const { label, token, quote, reference, targets, shapes, volatility, limits } = intent
  const { slippageTargets, existingDepth, ledgerSources } = intent
  return {
    label,
    token,
    quote,
    reference,
    targets,
    shapes,
    volatility,
    ...(slippageTargets ? { slippageTargets } : {}),
    ...(existingDepth ? { existingDepth } : {}),
    ...(ledgerSources ? { ledgerSources } : {}),
    budget: { token: limits.maximumToken, quote: limits.maximumQuote },
  }
}

export async function evaluateIntent(records: TenantRecords, intent: Input): Promise<Evaluated> {
  requireSoundIntent(intent)
  const study = await computeStudy(records, studyRequestOf(intent))
  return { study, ...(await checkedBy(records, intent, study.payload)) }
}

/** Checks an intent against an existing study. */
export async function checkedBy(
  records: TenantRecords,
  intent: Input,
  study: Study,
): Promise<Pick<Evaluated, 'projection' | 'checks'>> {
  const venues = await namedVenues(records, intent)
  const current = await findCurrentProjection(records, intent.limits.runwayScenarioId)
  const newest = current?.record
  const projected = current && {
    projection: current.record.payload,
    scenarioId: current.scenarioId,
    ageDays: current.ageDays,
    isControlLive: current.isControlLive,
  }
  return {
    projection: newest
      ? {
          resourceType: newest.resourceType,
          id: newest.id,
          resourceVersion: newest.resourceVersion,
        }
      : null,
    checks: intentChecks(intent, study, projected, venues),
  }
}

/**
 * The newest projection of all active entries, with the decisive scenario: that of the intent,
 * otherwise the base scenario.
 */
async function findCurrentProjection(records: TenantRecords, named: string | undefined) {
  const { primaryAssumptions } = (await treasurySettingsOf(records)).settings
  const record = await wholeProjection(records, primaryAssumptions, 'GATE')
  if (!record) return null
  const scenarioId = named ?? (await baseScenarioOf(records, record.payload.request.assumptions))
  return {
    record,
    scenarioId,
    ageDays: ageInDays(record, records.now),
    isControlLive: await isControlLive(records, record.payload),
  }
}

async function namedVenues(records: TenantRecords, intent: Input): Promise<NamedVenue[]> {
  const { venueAllow = [], venueDeny = [] } = intent.limits
  const ids = [...venueAllow, ...venueDeny]
  if (ids.length === 0) return []
  const found = (await records.find('VenueProfile', { ids })) as VenueRecord[]
  return ids.map((id) => {
    const venue = found.find((one) => one.id === id)
    if (!venue) return { id, fault: 'is not a venue of the organization' }
    if (venue.status === 'REVOKED') return { id, fault: 'is revoked' }
    const { chainId, base, quote } = venue.payload.pair
    const isOfPair =
      tokenKey(chainId, base) === intent.token && tokenKey(chainId, quote) === intent.quote
    return { id, fault: isOfPair ? null : 'has another pair' }
  })
}

/** @throws Failure if an intent is set to VALIDATED and one of its checks fails */
export function requirePassed(checks: Intent['checks']): void {
  const open = checks.filter(({ result }) => result !== 'PASS')
  if (open.length === 0) return
  const fieldErrors = {
    status: open.map(({ check, result, detail }) => `${check} is ${result}: ${detail}`),
  }
  const failed = (...names: readonly string[]) =>
    open.some(({ check, result }) => result === 'FAIL' && names.includes(check))
  if (failed('BAND_HOLDS_REFERENCE')) {
    throw new Failure('LIQUIDITY_INTENT_BAND_EXCLUDES_REFERENCE', { fieldErrors })
  }
  if (failed('TOKEN_WITHIN_LIMIT', 'QUOTE_WITHIN_LIMIT')) {
    throw new Failure('LIQUIDITY_INTENT_LIMITS_BELOW_REQUIREMENT', { fieldErrors })
  }
  throw new Failure('LIQUIDITY_INTENT_TRANSITION_OUT_OF_BOUNDS', { fieldErrors })
}

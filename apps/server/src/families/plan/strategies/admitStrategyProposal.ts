import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import {
  criticalAnomalies,
  openAnomaliesOf,
  openDivergences,
} from '../../../market/open-anomalies.ts'
import { studiesOf, unavailable } from './admission-facts.ts'
import { type Gate, gatesOf } from './admission-gates.ts'
import { type AdmissionTerms, admittedKind, openAdmissions } from './admissions.ts'
import type { StrategyPayload } from './compile.ts'
import { admissionName, nameOf, withExpirations } from './lapses.ts'
import { packageOf } from './package-lineage.ts'

/** Default maximum share of failed paths, in pips. */
const usualFailurePips = 50_000

/** Measures every gate. Admits the strategy as the basis of a proposal if all pass. */
export default handle(contract.admitStrategyProposal, async (request): Promise<Outcome> => {
  const { params, body, records, precondition, now, fail } = request
  const { resourceVersion, studies: refs, score, limits: requested, validForSeconds } = body.payload
  const reviewed = reviewedVersion(precondition, resourceVersion, 'payload.resourceVersion')
  if (reviewed === null) throw fail('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
  const current = await records.reviewed<StrategyPayload>(
    'StrategyDefinitionV2',
    params.id,
    reviewed,
  )
  const { record } = current
  if (record.status === 'REVOKED') throw fail('LIQUIDITY_STRATEGY_TERMINAL')
  const evaluated =
    score && (await records.version('MarketQualityScore', score.id, score.resourceVersion))
  if (score && !evaluated) throw unavailable('payload.score', score)
  const { definition, compilation } = record.payload
  const { irHash } = compilation
  const source = await packageOf(records, record.payload)
  const packageRevoked = source?.status === 'REVOKED'
  const limits = { ...requested, maxFailurePips: requested.maxFailurePips ?? usualFailurePips }
  const { venue, pair } = definition
  const subject = { venueIds: [venue.id], pair }
  const anomalies = await criticalAnomalies(records, subject)
  const gates = gatesOf({
    status: record.status,
    capital: definition.capital,
    isSeeded: source !== null,
    packageRevoked,
    studies: await studiesOf(records, refs, irHash),
    limits,
    criticalAnomalies: anomalies.open.length,
    pausingAnomalies: await openAnomaliesOf(records, subject, definition.guards.pauseOn),
    divergedStudies: await openDivergences(
      records,
      refs.map(({ id }) => id),
    ),
    now,
  })
  const failed = gates.filter(({ ok }) => !ok)
  if (failed.length > 0 || irHash === null) {
    throw fail('LIQUIDITY_STRATEGY_ADMISSION_REFUSED', {
      fieldErrors: Object.fromEntries(
        failed.map((gate) => [`gates.${gate.gate}`, [refusalOf(gate)]]),
      ),
    })
  }
  const expiresAt = new Date(now + validForSeconds * 1000).toISOString()
  const terms: AdmissionTerms = { irHash, studies: refs, limits, gates, expiresAt }
  const evidenceHashes = body.evidenceHashes ?? []
  const change = records.note(current, admittedKind, {
    ...terms,
    ...(score ? { score } : {}),
    validForSeconds,
    evidenceHashes,
    reason: body.reason,
  })
  const context = { resourceVersion: record.resourceVersion, packageRevoked, now }
  const open = await openAdmissions(records, record.id, context)
  const admission = change.events[0]?.event
  if (!admission) throw new Error('An admission must have an event.')
  const name = nameOf({ eventId: admission.id, expiresAt })
  return {
    data: { admission, gates },
    change: {
      ...withExpirations(records, change, record, open),
      // Held until the lapse, so that the sweep finds expired admissions.
      claims: [{ kind: admissionName, name, recordId: record.id }],
      // The package must still be unchanged when the admission is written.
      expects: [
        ...change.expects,
        ...(source ? [{ id: source.id, sequence: source.sequence }] : []),
      ],
    },
  }
})

const comparisons = { AT_MOST: 'at most', AT_LEAST: 'at least' } as const
const units = { COUNT: '', SECONDS: ' s', PIPS: ' pips', QUOTE_ATOMS: ' quote atoms' } as const

function refusalOf({ detail, observed, comparison, limit, unit }: Gate): string {
  return `must be ${comparisons[comparison]} ${limit}${units[unit]}, got ${observed ?? 'nothing'}: ${detail}`
}

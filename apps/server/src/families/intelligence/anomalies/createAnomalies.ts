import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { recordReply } from '../../record-reply.ts'
import { StudyThreads } from '../../simulate/studies/api.ts'
import { keep, pastOf } from './anomaly-life.ts'
import { type Evaluated, evaluationOf } from './anomaly-payload.ts'
import { commonMoment, evaluatePanel, observedUntil } from './detect-requests.ts'
import { evaluateDivergence } from './divergence/assess-divergence.ts'
import { openPeg } from './pegs.ts'
import { withStrategies } from './strategy-consequences.ts'
import { type AnomalyRequest, anomalyTermsOf, fingerprintOf, venuesOf } from './subject.ts'

/** Evaluates one anomaly kind for one subject from sealed venue data. */
export default handle(contract.createAnomalies, async (request): Promise<Outcome> => {
  const { body, records, services, actor, fail } = request
  const replaced = await openPeg(records, body.payload)
  if (replaced !== null && !actor.permissions.has('operate')) {
    throw fail('LIQUIDITY_ROLE_REQUIRED', {
      fieldErrors: {
        'payload.subject.pegX18': [
          `must equal the peg of the open anomaly ${replaced}; an operator can replace that anomaly`,
        ],
      },
    })
  }
  const { open, criticalAt } = await pastOf(records, fingerprintOf(body.payload))
  const evaluated = await evaluate(records, services, body.payload, criticalAt)
  const { sealed, change } = keep(records, evaluated, open, {
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
  })
  return recordReply(sealed, await withStrategies(records, sealed, change), 201)
})

async function evaluate(
  records: TenantRecords,
  services: Pick<Services, 'awaited'>,
  request: AnomalyRequest,
  criticalAt: { from: number; to: number }[],
): Promise<Evaluated> {
  const venues = await venuesOf(records, request)
  const { subject } = request
  const ends = await Promise.all(venues.map(({ id }) => observedUntil(records, id)))
  // The venue of the subject comes first.
  const own = subject.venueId === undefined ? null : (ends[0] ?? null)
  const seconds = Math.floor((request.at ? Date.parse(request.at) : records.now) / 1000)
  const at = request.at ? seconds : (commonMoment(ends, own) ?? seconds)
  if (request.kind === 'SIMULATED_REALIZED_DIVERGENCE') {
    const threads = new StudyThreads(services.awaited)
    const run = { records, threads, milliseconds: limits.divergenceMilliseconds }
    // A divergence names its venue, which comes first.
    return evaluateDivergence(run, request, venues[0]!, at)
  }
  const requested = [{ request, criticalAt }]
  const panel = { venues, at, ...anomalyTermsOf(request), requests: requested }
  return evaluationOf(await evaluatePanel(records, services.awaited, panel), 0)
}

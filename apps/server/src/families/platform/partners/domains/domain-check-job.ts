import type { JobEnd, JobRun } from '../../../../jobs/job-run.ts'
import { limits } from '../../../../limits.ts'
import { emptyChange } from '../../../../store/records/change.ts'
import { hourMilliseconds } from '../../../../units.ts'
import { domains } from '../records.ts'
import { checkDomain } from './check-domain.ts'
import { recheck } from './domain-status.ts'
import { expire, notifyExpiry } from './expire-domain.ts'

const hours = limits.partnerDomainFailingMilliseconds / hourMilliseconds
const because = `at least ${limits.partnerDomainFailures} checks over ${hours} hours did not find its DNS record`

/** Rechecks the DNS record of a bound domain. Writes only if the state changes. */
export default async function runDomainCheck(run: JobRun): Promise<JobEnd> {
  const { records, services, organizationId, now, subject } = run
  const current = await domains.current(records, subject.id)
  if (!current) throw new Error(`Partner domain challenge ${subject.id} does not exist.`)
  const { status, payload, evidenceHashes } = current.record
  const nothing = emptyChange(organizationId, now)
  if (status !== 'ACTIVE') return { change: nothing, result: { verdict: 'NOT_ASKED', status } }
  const check = await checkDomain(services.config, payload, now)
  const step = recheck(payload, check)
  const result = { verdict: check.verdict, outcome: step.kind, servers: check.answers.length }
  if (step.kind === 'UNCHANGED') return { change: nothing, result }
  if (step.kind === 'LAPSED') {
    // The lapse is stored before the email, so that a failed email does not lose it.
    await run.keep(await expire(records, current, { payload: step.payload, because }))
    await notifyExpiry(services, organizationId, current.record, because)
    return { change: nothing, result }
  }
  const isDoubted = step.kind === 'DOUBTED'
  const { change } = domains.next(records, current, {
    status: 'ACTIVE',
    payload: step.payload,
    evidenceHashes,
    reason: isDoubted ? 'A check did not find the DNS record' : 'The DNS record was found again',
    event: isDoubted ? 'partner_domain.doubted' : 'partner_domain.confirmed',
    eventPayload: { host: payload.host, verdict: check.verdict },
  })
  return { change, result }
}

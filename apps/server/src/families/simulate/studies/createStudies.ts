import { contract } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { queuedJob } from '../../../jobs/job.ts'
import { limits } from '../../../limits.ts'
import { recordReply } from '../../record-reply.ts'
import { acceptedStudy, claimOf, earlierStudy } from './accepted-study.ts'
import { type ReadyStudy, readyStudy } from './ready-study.ts'
import { studies } from './records.ts'
import type { StudyPayload } from './replay/replay-result.ts'
import { compareAnswers } from './reproduction.ts'
import type { Series } from './sealed-series.ts'
import { requireSoundSpec } from './validate-spec.ts'

const operation = contract.createStudies
type Request = HandlerRequest<typeof operation>

export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, services } = request
  requireSoundSpec(body.payload)
  const { awaited: threads, config } = services
  const study = await readyStudy(records, { threads, config }, body.payload)
  const earlier = await earlierStudy(records, body.payload)
  return study.milliseconds > limits.interactiveStudyMilliseconds
    ? queue(request, earlier)
    : runNow(request, study, earlier)
})

/** Computes the study in worker threads and returns the result. */
async function runNow(
  request: Request,
  study: ReadyStudy,
  reproduces: StudyPayload['reproduces'],
): Promise<Outcome> {
  const { body, records, services } = request
  const { result, series } = await study.compute({})
  const { difference, claims } = await compareAnswers(records, { spec: body.payload }, result)
  if (difference) services.log.error(difference, 'The same study returned a different result.')
  const { sealed, change } = studies.first(records, {
    status: difference ? 'FAILED' : result.state,
    payload: {
      spec: body.payload,
      progress: null,
      reproduces,
      result: difference ? null : result,
    } satisfies StudyPayload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
    event: difference ? 'study.failed' : 'study.finished',
    eventPayload: difference
      ? { ...difference }
      : { state: result.state, resultHash: result.resultHash },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const artifacts = seriesArtifacts(series, { resourceType, id, resourceVersion })
  const claimed = [...claimOf(body.payload, reproduces, id).claims, ...claims(id)]
  return recordReply(sealed, { ...change, claims: claimed, artifacts }, 201)
}

/** Series as artifacts of their version. */
export function seriesArtifacts(
  series: readonly Series[],
  producer: { resourceType: string; id: string; resourceVersion: string },
) {
  return series.map(({ hash, content }) => ({
    contentHash: hash,
    mediaType: 'application/json',
    content,
    producer,
  }))
}

/** Records the study as accepted and queues it for a worker. */
function queue(request: Request, earlier: StudyPayload['reproduces']): Outcome {
  const { body, records, now } = request
  const { payload: spec, reason, evidenceHashes = [] } = body
  const { sealed, change, job } = acceptedStudy(records, { spec, reason, evidenceHashes, earlier })
  return {
    status: 201,
    data: {
      study: sealed.record,
      job: queuedJob(job, now),
      interactive: false,
      signedReportPending: true,
      executionPerformed: false,
      executionAuthorityGranted: false,
    },
    change,
  }
}

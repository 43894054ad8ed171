import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { joinChanges } from '../../../store/records/change.ts'
import { secondMilliseconds } from '../../../units.ts'
import { recordReply } from '../../record-reply.ts'
import { findObservation } from './find-observation.ts'
import { latestOf, observationOf } from './observation.ts'
import { observe } from './observe.ts'
import { projects } from './records.ts'

export default projects.supersede(contract.refreshSavedProject, {
  async decide({ body, records, services, now }, { id, payload }) {
    const { version, observedAt } = payload.latest
    const nextAt = Date.parse(observedAt) + limits.projectRefreshMilliseconds
    if (now < nextAt) {
      const retryAfterSeconds = Math.ceil((nextAt - now) / secondMilliseconds)
      throw new Failure('LIQUIDITY_RATE_LIMITED', {
        retryAfterSeconds,
        message: 'A project can be read once per minute.',
      })
    }
    const before = await findObservation(records, id, version)
    if (!before) throw new Error(`The observation ${version} of ${id} is not stored.`)
    const analysis = await observe(services, { query: payload.assetKey })
    const next = observationOf(records, {
      projectId: id,
      version: version + 1,
      analysis,
      before: before.payload.analysis,
      reason: body.reason,
    })
    const { analysisHash } = analysis
    return {
      payload: { ...payload, latest: latestOf(version + 1, analysis, now) },
      event: 'project.observed',
      eventPayload: { version: version + 1, analysisHash },
      complete: async (_, change) =>
        recordReply(next.sealed, joinChanges(change, next.change), 201),
    }
  },
})

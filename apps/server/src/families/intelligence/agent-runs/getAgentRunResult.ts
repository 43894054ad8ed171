import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { templatesOnly } from './narration/published-narration.ts'
import { readerFault } from './review/review-readers.ts'
import { failingClosed, requireRun } from './serialize-run.ts'
import { verifyRun } from './verify-run.ts'

/** Report of a finished run, rebuilt and verified against its seals on each request. */
export default handle(contract.getAgentRunResult, async (request): Promise<Outcome> => {
  const { params, records, services, actor, now, fail } = request
  const { id, payload } = await requireRun(records, params.runId)
  const { resultHash, captureHash, draftHash, protocolHash } = payload
  const isResearch = payload.kind === 'RESEARCH'
  const isWhole = resultHash && captureHash && draftHash && (!isResearch || protocolHash)
  if (!isWhole) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const fault = await readerFault(records, actor, payload)
  if (fault) throw fault
  const { checks, rebuilt, words, logged } = await failingClosed(() =>
    verifyRun(records, services.database, services.awaited, { id, payload }),
  )
  if (checks.some(({ ok }) => !ok)) throw fail('LIQUIDITY_AGENT_RUN_UNVERIFIABLE')
  return {
    data: {
      runId: id,
      kind: payload.kind,
      state: rebuilt.report.state,
      assessesMarketHealth: payload.kind === 'HEALTH' && rebuilt.report.state === 'COMPLETED',
      report: rebuilt.report,
      resultHash: rebuilt.resultHash,
      narration: { ...(payload.narration ?? templatesOnly), words },
      verification: {
        verifiedAt: new Date(now).toISOString(),
        checks,
        captureHash,
        draftHash,
        protocolHash,
        logged,
      },
      limitations: rebuilt.report.limitations,

      modeledWorkOnly: isResearch,
      executionAuthorityGranted: false,
      executionPerformed: false,
    },
  }
})

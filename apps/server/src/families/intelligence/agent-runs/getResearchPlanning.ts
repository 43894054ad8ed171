import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { Draft } from './records.ts'
import { allowedCommands } from './run-course.ts'
import { openJson } from './sealed-json.ts'
import { failingClosed, requireRun } from './serialize-run.ts'

/** Protocol of a run: the current draft or the sealed version. */
export default handle(
  contract.getResearchPlanning,
  async ({ params, records }): Promise<Outcome> => {
    const record = await requireRun(records, params.runId)
    const { plan, protocolHash } = record.payload
    const draft = plan
      ? openJson<Draft>(await failingClosed(() => records.artifact(plan.draftArtifact)))
      : null
    return {
      data: {
        protocolDraft: draft,
        protocolHash: plan?.protocolHash ?? null,
        sealed: protocolHash !== null,
        clarifications: plan?.clarifications ?? [],
        feasibility: plan?.feasibility ?? [],
        revisions: plan?.revisions ?? [],
        allowedCommands: allowedCommands(record),
      },
    }
  },
)

import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { verifiedReport } from '../../intelligence/agent-runs/api.ts'
import { currentSources } from '../../sources.ts'
import { researchOptions } from './assemble-research.ts'
import { boundPack, refuse, unitsOf } from './bind-pack.ts'
import type { PackInput } from './pack-types.ts'
import { decisionPacks } from './records.ts'

export default decisionPacks.create(
  contract.createDecisionPackFromResearch,
  async ({ body, actor, records, services }) => {
    const [found] = await currentSources(records, [{ ref: body.run, at: 'run' }])
    // The cast is safe: the schema fixes the kind, and missing records were rejected.
    const run = found as VersionedRecord<contract.AgentRun>
    const report = await verifiedReport(records, services, run)
    if (report === null || report.state === 'ABSTAINED') {
      const message = `must have ended with a comparison, got ${report?.state ?? run.payload.phase}`
      refuse('LIQUIDITY_DECISION_PACK_INVALID', { run: [message] })
    }
    // A request without a report was rejected.
    const research = report as contract.ResearchReport
    const units = await unitsOf(records, [research.quoteAsset])
    const { run: ref, options, reason: _, evidenceHashes: __, ...given } = body
    const input: PackInput = {
      ...given,
      options: options ?? researchOptions(run, research, units),
      evidence: [{ source: ref }],
    }
    const payload = await boundPack(
      records,
      input,
      { origin: 'RESEARCH', dissent: [], authors: [actor.userId], moved: [] },
      '',
    )
    return {
      payload,
      event: 'decision_pack.created',
      eventPayload: { origin: payload.origin, sealHash: payload.sealHash },
    }
  },
)

import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { specHashOf } from '../../simulate/studies/api.ts'
import { sealedProtocol } from './sealed-protocol.ts'
import { failingClosed, requireRun } from './serialize-run.ts'
import { trialPlans } from './trial-plans.ts'

/** The study of a trial in a sealed protocol. */
export default handle(
  contract.getResearchTrialInput,
  async ({ params, records, fail }): Promise<Outcome> => {
    const { payload } = await requireRun(records, params.runId)
    if (payload.protocolHash === null) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    const { protocol, protocolHash } = await failingClosed(() => sealedProtocol(records, payload))
    const plan = trialPlans(protocol).find(({ trialKey }) => trialKey === params.trialKey)
    if (!plan) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    const { trialKey, spec, issues, differsFromBaseline } = plan
    return {
      data: {
        trialKey,
        protocolHash,
        captureHash: payload.captureHash,
        spec,
        specHash: spec && specHashOf(spec),
        seed: protocol.seed,
        issues: Object.entries(issues).flatMap(([field, messages]) =>
          messages.map((message) => `${field} ${message}`),
        ),
        differsFromBaseline,
      },
    }
  },
)

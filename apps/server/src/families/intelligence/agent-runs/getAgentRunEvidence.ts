import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { captureRoot, inclusionOf } from './capture-root.ts'
import { openJson } from './sealed-json.ts'
import { failingClosed, requireRun } from './told-run.ts'

/** One sealed item of a capture with its path to the root. */
export default handle(
  contract.getAgentRunEvidence,
  async ({ params, records, fail }): Promise<Outcome> => {
    const { payload } = await requireRun(records, params.runId)
    const { capture, captureHash } = payload
    const items = capture?.items ?? []
    const place = items.findIndex(({ evidenceId }) => evidenceId === params.evidenceId)
    const item = items[place]
    if (!item) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    const content = await failingClosed(() => records.artifact(item.contentHash))
    if (captureRoot(items) !== captureHash) throw fail('LIQUIDITY_AGENT_RUN_UNVERIFIABLE')
    const withheld = isPacked(content)
      ? 'NOT_JSON'
      : content.byteLength > limits.shownEvidenceBytes
        ? 'TOO_LARGE'
        : null
    return {
      data: {
        ...item,
        content: withheld === null ? openJson(content) : null,
        withheld,
        contentBytes: content.byteLength,
        inclusion: { ...inclusionOf(items, place), captureHash },
      },
    }
  },
)

/** Events are kept packed; what is shown begins as JSON does. */
const isPacked = (content: Uint8Array) => content[0] !== 0x7b && content[0] !== 0x5b

import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { captureRoot, inclusionOf } from './capture-root.ts'
import { openJson } from './sealed-json.ts'
import { failingClosed, requireRun } from './serialize-run.ts'

/** One sealed item of a capture with its path to the root. */
export default handle(
  contract.getAgentRunEvidence,
  async ({ params, records, fail }): Promise<Outcome> => {
    const { payload } = await requireRun(records, params.runId)
    const { capture, captureHash } = payload
    const items = capture?.items ?? []
    const index = items.findIndex(({ evidenceId }) => evidenceId === params.evidenceId)
    const item = items[index]
    if (!item) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    const content = await failingClosed(() => records.artifact(item.contentHash))
    if (captureRoot(items) !== captureHash) throw fail('LIQUIDITY_AGENT_RUN_UNVERIFIABLE')
    const shown = shownOf(content)
    return {
      data: {
        ...item,
        ...shown,
        contentBytes: content.byteLength,
        inclusion: { ...inclusionOf(items, index), captureHash },
      },
    }
  },
)

/** Sealed bytes in response form. Events are lines or packed, and not one JSON document. */
function shownOf(content: Uint8Array): {
  content: unknown
  withheld: 'TOO_LARGE' | 'NOT_JSON' | null
} {
  if (content.byteLength > limits.shownEvidenceBytes)
    return { content: null, withheld: 'TOO_LARGE' }
  try {
    return { content: openJson(content), withheld: null }
  } catch (error) {
    if (error instanceof SyntaxError) return { content: null, withheld: 'NOT_JSON' }
    throw error
  }
}

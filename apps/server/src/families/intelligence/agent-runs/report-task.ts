import type { contract } from '@liquidity-os/contract'
import { H, type Hash } from '@liquidity-os/evidence'
import { type Analysis, buildAnalysis, type Material } from './build-analysis.ts'
import { currentEdition, type Edition, editionOf } from './edition.ts'
import { isGrounded, writeSentences } from './narrative.ts'
import type { Receipt } from './receipt.ts'
import { openJson, protocolHashOf, type SealedJson, sealJson } from './sealed-json.ts'

type Report = contract.ResearchReport

/** The inputs of a report for a thread: sealed bytes, each verified against its hash. */
export interface ReportTask extends Omit<Material, 'protocol' | 'receipts'> {
  readonly protocol: Uint8Array
  readonly receipts: readonly Uint8Array[]
  /** Null if the draft does not exist yet. */
  readonly draft: { readonly content: Uint8Array; readonly hash: string } | null
}

/** Sentences of a report, bound to one analysis. */
interface Draft {
  readonly draftVersion: `research-draft-${Edition}`
  readonly analysisHash: string
  readonly sentences: readonly contract.GroundedSentence[]
}

export interface RebuiltReport {
  readonly report: Report
  readonly resultHash: Hash
  /** True if the draft was written for this exact analysis. */
  readonly isOfDraft: boolean
  readonly isProtocol: boolean
  readonly areReceipts: boolean
}

export type ReportAnswer = { draft: SealedJson } | { rebuilt: RebuiltReport }

/** Writes the draft of a run, or rebuilds its report with the draft that is settled. Pure. */
export default function buildReport(task: ReportTask): ReportAnswer {
  const protocol = openJson<Material['protocol']>(task.protocol)
  const receipts = task.receipts.map((content) => openJson<Receipt>(content))
  const draft = task.draft && openJson<Draft>(task.draft.content)
  const edition = draft ? editionOf(draft.draftVersion) : currentEdition
  const receiptsByTrial = Object.fromEntries(receipts.map((one) => [one.trialKey, one]))
  const analysis = buildAnalysis({ ...task, protocol, receipts: receiptsByTrial }, edition)
  const analysisHash = H('research-analysis/v1', analysis)
  if (!task.draft || !draft) {
    const sentences = writeSentences(analysis)
    const draftVersion = `research-draft-${currentEdition}`
    return { draft: sealJson({ draftVersion, analysisHash, sentences }) }
  }
  const report = reportOf(analysis, draft, task.draft.hash)
  return {
    rebuilt: {
      report,
      resultHash: H('research-report/v1', report),
      isOfDraft: draft.analysisHash === analysisHash,
      isProtocol: protocolHashOf(protocol) === task.protocolHash,
      areReceipts: receipts.every((receipt) => isOfRun(receipt, task)),
    },
  }
}

function reportOf(analysis: Analysis, { sentences }: Draft, draftHash: string): Report {
  const grounded = sentences.filter((sentence) => isGrounded(sentence, analysis))
  return {
    ...analysis,
    narrative: {
      draftHash: draftHash as Hash,
      sentences: grounded,
      droppedSentences: sentences.length - grounded.length,
    },
  }
}

/** True if the receipt names the run's protocol and capture. */
function isOfRun(receipt: Receipt, { protocolHash, captureHash, trials }: ReportTask): boolean {
  const trial = trials.find(({ trialKey }) => trialKey === receipt.trialKey)
  return (
    trial?.receiptHash != null &&
    receipt.protocolHash === protocolHash &&
    receipt.captureHash === captureHash
  )
}

import type { contract } from '@liquidity-os/contract'
import { H, type Hash } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { valueAt } from '../../../json-pointer.ts'
import { isGrounded } from '../narrative.ts'
import type { Run } from '../records.ts'
import { openJson, type SealedJson, sealJson } from '../sealed-json.ts'
import { type Assessment, assessHealth } from './assess-health.ts'
import { writeHealth } from './health-sentences.ts'
import type { HealthMaterial } from './material.ts'

/** What the sentences say, and of which assessment. */
interface Draft {
  readonly draftVersion: 'health-draft-v1'
  readonly assessmentHash: string
  readonly sentences: readonly contract.GroundedSentence[]
}

/** A report as it comes out of what was sealed. */
export interface RebuiltHealth {
  readonly report: contract.HealthReport
  readonly resultHash: Hash
  /** Whether the draft was written of this very assessment. */
  readonly isOfDraft: boolean
  /** Whether every figure is what stands in the sealed evidence that it names. */
  readonly areFiguresCited: boolean
}

/**
 * The sealed bytes of which a report is made, each checked against its hash as it is read.
 *
 * @throws Error where some are missing or other
 */
export async function healthMaterial(
  records: TenantRecords,
  { capture, captureHash }: Run,
): Promise<HealthMaterial> {
  if (!capture || captureHash === null) throw new Error('Nothing was captured.')
  const documents = []
  for (const item of capture.items) {
    documents.push({ item, content: openJson(await records.artifact(item.contentHash)) })
  }
  return { captureHash, gaps: capture.gaps, documents }
}

const hashOf = (assessment: Assessment): Hash => H('health-assessment/v1', assessment)

/** The draft of a report; it is settled from then on. */
export function draftHealth(material: HealthMaterial): SealedJson {
  const assessment = assessHealth(material)
  const draft: Draft = {
    draftVersion: 'health-draft-v1',
    assessmentHash: hashOf(assessment),
    sentences: writeHealth(assessment),
  }
  return sealJson(draft)
}

/** The report of what was sealed, with the sentences of its draft that stand on it. */
export async function rebuildHealth(records: TenantRecords, payload: Run): Promise<RebuiltHealth> {
  if (payload.draftHash === null) throw new Error('A run without a draft has no report.')
  const material = await healthMaterial(records, payload)
  const draft = openJson<Draft>(await records.artifact(payload.draftHash))
  const assessment = assessHealth(material)
  const grounded = draft.sentences.filter((sentence) => isGrounded(sentence, assessment))
  const report: contract.HealthReport = {
    ...assessment,
    narrative: {
      draftHash: payload.draftHash as Hash,
      sentences: grounded,
      droppedSentences: draft.sentences.length - grounded.length,
    },
  }
  return {
    report,
    resultHash: H('health-report/v1', report),
    isOfDraft: draft.assessmentHash === hashOf(assessment),
    areFiguresCited: areCited(assessment, material),
  }
}

function areCited({ areas }: Assessment, { documents }: HealthMaterial): boolean {
  const contents = new Map(documents.map(({ item, content }) => [item.evidenceId, content]))
  const figures = areas.flatMap((area) => [
    ...area.figures,
    ...area.findings.flatMap((finding) => finding.figures),
  ])
  return figures.every(({ evidenceId, pointer, value }) => {
    const found = valueAt(contents.get(evidenceId), pointer)
    return `${found ?? ''}`.slice(0, 200) === value
  })
}

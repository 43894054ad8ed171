import type { contract } from '@liquidity-os/contract'
import { H, type Hash } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { currentEdition, type Edition, editionOf } from '../edition.ts'
import { isGrounded } from '../narrative.ts'
import type { Run } from '../records.ts'
import { openJson, type SealedJson, sealJson } from '../sealed-json.ts'
import { areCited } from './cited-figures.ts'
import { type Material, sealedMaterial } from './documents.ts'
import type { AssessmentKind, AssessmentOf, AssessmentReport } from './report-kind.ts'

/** Sentences of a report, bound to one assessment. */
interface Draft {
  readonly draftVersion: `${AssessmentKind['tag']}-draft-${Edition}`
  readonly assessmentHash: string
  readonly sentences: readonly contract.GroundedSentence[]
}

export interface RebuiltAssessment {
  readonly report: AssessmentReport
  readonly resultHash: Hash
  /** True if the draft was written for this exact assessment. */
  readonly isOfDraft: boolean
  /** True if every figure equals the value in the sealed evidence that it cites. */
  readonly areFiguresCited: boolean
}

const hashOf = (tag: string, assessment: AssessmentOf<AssessmentReport>): Hash =>
  H(`${tag}-assessment/v1`, assessment)

/** The draft of a report; it is settled from then on. */
export function draftAssessment(
  { tag, assess, write }: AssessmentKind,
  material: Material,
): SealedJson {
  const assessment = assess(material, currentEdition)
  const draft: Draft = {
    draftVersion: `${tag}-draft-${currentEdition}`,
    assessmentHash: hashOf(tag, assessment),
    sentences: write(assessment),
  }
  return sealJson(draft)
}

/**
 * Rebuilds the report from sealed evidence, with the draft sentences that the evidence supports.
 */
export async function rebuildAssessment(
  { tag, assess, figures }: AssessmentKind,
  records: TenantRecords,
  payload: Run,
): Promise<RebuiltAssessment> {
  if (payload.draftHash === null) throw new Error('A run without a draft has no report.')
  const material = await sealedMaterial(records, payload)
  const draft = openJson<Draft>(await records.artifact(payload.draftHash))
  const assessment = assess(material, editionOf(draft.draftVersion))
  const grounded = draft.sentences.filter((sentence) => isGrounded(sentence, assessment))
  const narrative = {
    draftHash: payload.draftHash as Hash,
    sentences: grounded,
    droppedSentences: draft.sentences.length - grounded.length,
  }
  // Each kind assesses reports in its specific format.
  const report = { ...assessment, narrative } as AssessmentReport
  return {
    report,
    resultHash: H(`${tag}-report/v1`, report),
    isOfDraft: draft.assessmentHash === hashOf(tag, assessment),
    areFiguresCited: areCited(figures(assessment), material),
  }
}

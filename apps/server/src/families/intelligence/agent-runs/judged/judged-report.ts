import type { contract } from '@liquidity-os/contract'
import { H, type Hash } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { isGrounded } from '../narrative.ts'
import type { Run } from '../records.ts'
import { openJson, type SealedJson, sealJson } from '../sealed-json.ts'
import { areCited } from './cited-figures.ts'
import { type Material, sealedMaterial } from './documents.ts'
import type { AssessmentOf, JudgedKind, JudgedReport } from './judged-kind.ts'

/** What the sentences say, and of which assessment. */
interface Draft {
  readonly draftVersion: `${JudgedKind['tag']}-draft-v1`
  readonly assessmentHash: string
  readonly sentences: readonly contract.GroundedSentence[]
}

/** A report as it comes out of what was sealed. */
export interface RebuiltJudgement {
  readonly report: JudgedReport
  readonly resultHash: Hash
  /** Whether the draft was written of this very assessment. */
  readonly isOfDraft: boolean
  /** Whether every figure is what stands in the sealed evidence that it names. */
  readonly areFiguresCited: boolean
}

const hashOf = (tag: string, assessment: AssessmentOf<JudgedReport>): Hash =>
  H(`${tag}-assessment/v1`, assessment)

/** The draft of a report; it is settled from then on. */
export function draftJudgement({ tag, assess, write }: JudgedKind, material: Material): SealedJson {
  const assessment = assess(material)
  const draft: Draft = {
    draftVersion: `${tag}-draft-v1`,
    assessmentHash: hashOf(tag, assessment),
    sentences: write(assessment),
  }
  return sealJson(draft)
}

/** The report of what was sealed, with the sentences of its draft that stand on it. */
export async function rebuildJudgement(
  { tag, assess, figures }: JudgedKind,
  records: TenantRecords,
  payload: Run,
): Promise<RebuiltJudgement> {
  if (payload.draftHash === null) throw new Error('A run without a draft has no report.')
  const material = await sealedMaterial(records, payload)
  const draft = openJson<Draft>(await records.artifact(payload.draftHash))
  const assessment = assess(material)
  const grounded = draft.sentences.filter((sentence) => isGrounded(sentence, assessment))
  const narrative = {
    draftHash: payload.draftHash as Hash,
    sentences: grounded,
    droppedSentences: draft.sentences.length - grounded.length,
  }
  // Each kind assesses reports of its own form.
  const report = { ...assessment, narrative } as JudgedReport
  return {
    report,
    resultHash: H(`${tag}-report/v1`, report),
    isOfDraft: draft.assessmentHash === hashOf(tag, assessment),
    areFiguresCited: areCited(figures(assessment), material),
  }
}

import type { contract } from '@liquidity-os/contract'
import { figure, name, sentencesAbout } from '../narrative.ts'
import type { Assessment } from './assess-health.ts'

/**
 * Writes the sentences of a health report from templates. The templates read all values from the
 * assessment.
 */
export function writeHealth(assessment: Assessment): contract.GroundedSentence[] {
  const write = sentencesAbout(assessment)
  const { areas, state, question } = assessment
  return [
    ...(question === null ? [] : [write`Question: ${name('/question')}.`]),
    state === 'ABSTAINED'
      ? write`No verdict as of ${name('/asOf')}. Reasons: ${name('/reasons/0')} and ${name('/reasons/1')}.`
      : write`Verdict as of ${name('/asOf')}: ${name('/verdict')}.`,
    ...(state === 'PARTIAL'
      ? [write`The assessment is incomplete. Reason: ${name('/reasons/0')}.`]
      : []),
    ...areas.flatMap(({ area, verdict, findings }, index) => {
      const at = `/areas/${index}`
      const sentence =
        verdict === null
          ? write`${name(`${at}/area`)}: no verdict.`
          : area === 'QUALITY'
            ? write`${name(`${at}/area`)}: ${name(`${at}/verdict`)}. The score is ${figure(`${at}/figures/1/value`)} pips, grade ${name(`${at}/figures/0/value`)}.`
            : write`${name(`${at}/area`)}: ${name(`${at}/verdict`)}.`
      const because = findings.slice(0, maxReported).map(({ figures: of }, number) => {
        const found = `${at}/findings/${number}`
        return of.length > 1
          ? write`${name(`${found}/code`)}: ${name(`${found}/figures/0/value`)}; ${name(`${found}/figures/1/name`)} is ${name(`${found}/figures/1/value`)}.`
          : write`${name(`${found}/code`)}: ${name(`${found}/figures/0/value`)}.`
      })
      return [sentence, ...because]
    }),
  ]
}

/** Maximum findings per area described in sentences. The report lists all findings. */
const maxReported = 8

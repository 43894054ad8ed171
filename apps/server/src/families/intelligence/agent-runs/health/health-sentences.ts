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
    ...(question === null ? [] : [write`The question was ${name('/question')}.`]),
    state === 'ABSTAINED'
      ? write`As of ${name('/asOf')} nothing can be said: ${name('/reasons/0')} and ${name('/reasons/1')}.`
      : write`As of ${name('/asOf')} it stands at ${name('/verdict')}.`,
    ...(state === 'PARTIAL'
      ? [write`That is not the whole of it, because of ${name('/reasons/0')}.`]
      : []),
    ...areas.flatMap(({ area, verdict, findings }, index) => {
      const at = `/areas/${index}`
      const sentence =
        verdict === null
          ? write`${name(`${at}/area`)} could not be judged.`
          : area === 'QUALITY'
            ? write`${name(`${at}/area`)} is at ${name(`${at}/verdict`)}: the score has the grade ${name(`${at}/figures/0/value`)} at ${figure(`${at}/figures/1/value`)} pips.`
            : write`${name(`${at}/area`)} is at ${name(`${at}/verdict`)}.`
      const because = findings.slice(0, maxReported).map(({ figures: of }, number) => {
        const found = `${at}/findings/${number}`
        return of.length > 1
          ? write`${name(`${found}/code`)}: ${name(`${found}/figures/0/value`)}, with ${name(`${found}/figures/1/name`)} of ${name(`${found}/figures/1/value`)}.`
          : write`${name(`${found}/code`)}: ${name(`${found}/figures/0/value`)}.`
      })
      return [sentence, ...because]
    }),
  ]
}

/** Maximum findings per area described in sentences. The report lists all findings. */
const maxReported = 8
